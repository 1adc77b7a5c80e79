import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main` is the one action that a page or dialog is about. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly small?: boolean;
  /** Shown while the action runs; the button cannot be pressed. */
  readonly busy?: boolean;
}

export function Button({ look = 'plain', small, busy, className, disabled, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[look], small && styles.small, className].filter(Boolean).join(' ');
  return <button type="button" {...rest} className={classes} disabled={disabled || busy} aria-busy={busy} />;
}

/** A button that looks like a link, within a table or a sentence. */
export function TextButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} className={styles.text} />;
}

/** The look of a button for links. */
export function buttonClass(look: 'main' | 'plain' | 'quiet' = 'plain'): string {
  return `${styles.button} ${styles[look]}`;
}
