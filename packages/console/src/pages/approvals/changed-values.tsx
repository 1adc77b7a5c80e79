import { useTexts } from '../../texts/use-texts.ts';
import styles from './proposal.module.css';
import type { ValueChange } from './value-changes.ts';

/** Values before and after, side by side. */
export function ChangedValues({ changes }: { readonly changes: readonly ValueChange[] }) {
  const { approvals } = useTexts();
  if (changes.length === 0) return <p className="quiet">{approvals.noChange}</p>;
  return (
    <ul className={styles.changes}>
      {changes.map(({ name, before, after }) => (
        <li key={name} className={styles.change}>
          <code>{name}</code>
          <span className={styles.before}>
            <span className="unseen">{approvals.before}: </span>− {shown(before)}
          </span>
          <span className={styles.after}>
            <span className="unseen">{approvals.after}: </span>+ {shown(after)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
