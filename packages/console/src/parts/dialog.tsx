import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog of the browser, which keeps the focus inside and returns it when it closes. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const { general } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Otherwise, the button that closes the dialog has the focus.
    shown?.querySelector<HTMLElement>('form :is(input, select, textarea):not([type=hidden])')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <Button look="quiet" small aria-label={general.close} onClick={onClose}>
          ✕
        </Button>
      </div>
      <div className={styles.body}>{children}</div>
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
