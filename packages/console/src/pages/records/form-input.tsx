import { useId } from 'react';
import type { FormField } from '../../contract/entity-facts.ts';
import { fieldClass, hintClass, inputClass } from '../../parts/field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { RelationInput } from './relation-input.tsx';

interface FormInputProps {
  readonly field: FormField;
  readonly connectionId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called with the records among which a relation is chosen. */
  readonly onOptions: (idByLabel: ReadonlyMap<string, string>) => void;
}

const TYPES: Readonly<Record<string, string>> = {
  date: 'date',
  datetime: 'datetime-local',
  number: 'number',
  integer: 'number',
};

/** The input for a field of a body, by its kind in the document. */
export function FormInput({ field, connectionId, value, onChange, onOptions }: FormInputProps) {
  const { general } = useTexts();
  const id = useId();
  const { name, kind, required, description, maxLength, minimum, maximum } = field;
  const shared = {
    id,
    value,
    required,
    className: inputClass,
    'aria-describedby': description ? `${id}-hint` : undefined,
  };
  const input = () => {
    if (kind === 'relation') return <RelationInput {...{ field, connectionId, onChange, onOptions }} input={shared} />;
    if (kind === 'boolean' || kind === 'enum') {
      const values = kind === 'boolean' ? ['true', 'false'] : (field.values ?? []);
      return (
        <select {...shared} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="" />
          {values.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      );
    }
    if (kind === 'paragraph' || kind === 'json') {
      const rows = kind === 'json' ? 5 : 3;
      return (
        <textarea
          {...shared}
          rows={rows}
          maxLength={maxLength}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    }
    return (
      <input
        {...shared}
        type={TYPES[kind] ?? 'text'}
        {...{ maxLength, min: minimum, max: maximum, step: kind === 'integer' ? 1 : 'any' }}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  };
  return (
    <div className={fieldClass}>
      <label htmlFor={id}>
        <code>{name}</code> {required && <span className="quiet">({general.required})</span>}
      </label>
      {input()}
      {description && (
        <p id={`${id}-hint`} className={hintClass}>
          {description}
        </p>
      )}
    </div>
  );
}
