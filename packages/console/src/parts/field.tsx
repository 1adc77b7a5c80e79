import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import styles from './field.module.css';

interface LabeledProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

interface SelectFieldProps extends LabeledProps, SelectHTMLAttributes<HTMLSelectElement> {
  /** As wide as its options, for filters of a page. */
  readonly narrow?: boolean;
}

/** A text field with its label and hint. */
export function TextField({ label, hint, ...input }: LabeledProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={styles.input} {...input} />
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A list to choose from, with its label and hint. */
export function SelectField({ label, hint, narrow, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={narrow ? `${styles.field} ${styles.narrow}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={styles.input} {...select} />
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A text of several lines, with its label. */
export function TextArea({ label, hint, ...input }: LabeledProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={styles.input} {...input} />
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

export const inputClass = styles.input;
export const fieldClass = styles.field;
export const hintClass = styles.hint;
