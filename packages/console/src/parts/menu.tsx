import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import styles from './menu.module.css';

/** An entry of a menu. */
export interface MenuEntry {
  readonly label: ReactNode;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Marks the chosen one of several. */
  readonly checked?: boolean;
}

interface MenuProps {
  readonly label: ReactNode;
  /** Name for screen readers, if the label is a symbol. */
  readonly name?: string;
  /** Groups of entries, with a line between them. */
  readonly groups: readonly (readonly MenuEntry[])[];
  readonly className?: string | undefined;
}

/** A button that opens a menu, which arrow keys and letters move through. */
export function Menu({ label, name, groups, className = buttonClass() }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger className={className} aria-label={name}>
        {label}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <BaseMenu.Popup className={styles.popup}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity of their own.
                <BaseMenu.Group key={index} className={styles.group}>
                  {group.map((entry, place) => (
                    <BaseMenu.Item
                      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity of their own.
                      key={place}
                      disabled={entry.disabled ?? false}
                      onClick={entry.onSelect}
                      className={entry.danger ? `${styles.item} ${styles.danger}` : styles.item}
                    >
                      <span>{entry.label}</span>
                      {entry.checked && <span aria-hidden="true">✓</span>}
                    </BaseMenu.Item>
                  ))}
                </BaseMenu.Group>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
