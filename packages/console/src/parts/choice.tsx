import { useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** Labels by value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A few alternatives side by side, of which one is chosen; arrow keys move between them. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {(Object.entries(options) as [Value, string][]).map(([option, text]) => (
        <label key={option} className={styles.option}>
          <input
            type="radio"
            name={name}
            className="unseen"
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
