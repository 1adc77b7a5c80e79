import { type FormEvent, useState } from 'react';
import type { ReadField } from '../../contract/entity-facts.ts';
import type { ListCondition } from '../../lists/conditions-of-search.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './filter-bar.module.css';

interface FilterFormProps {
  readonly fields: readonly ReadField[];
  readonly onAdd: (condition: ListCondition) => void;
  readonly onClose: () => void;
}

/** Relations are filtered by what people know of the related record. */
const RELATED = '_displayValue';
const RELATED_OPERATORS = ['contains', 'eq', 'startsWith'];

/** A form for one condition, with the fields and operators of the document. */
export function FilterForm({ fields, onAdd, onClose }: FilterFormProps) {
  const { records, general } = useTexts();
  const possible = fields.filter(({ operators }) => operators.length > 0);
  const [name, setName] = useState(possible.find((field) => field.name === 'name')?.name ?? possible[0]?.name ?? '');
  const field = possible.find((each) => each.name === name);
  if (!field) return null;
  const isRelation = field.targets !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { operator = 'eq', value = '' } = textsOf(event.currentTarget);
    onAdd({ field: isRelation ? `${name}.${RELATED}` : name, operator, value: sentValue(field.kind, value) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <SelectField
        label={records.field}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoFocus
      >
        {possible.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </SelectField>
      <SelectField key={`${name} operator`} label={records.operator} name="operator">
        {(isRelation ? RELATED_OPERATORS : field.operators).map((operator) => (
          <option key={operator} value={operator}>
            {records.operators[operator as keyof typeof records.operators] ?? operator}
          </option>
        ))}
      </SelectField>
      <ValueField key={name} field={field} label={records.value} />
      <Button type="submit" look="main">
        {records.apply}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {general.cancel}
      </Button>
    </form>
  );
}

function ValueField({ field, label }: { readonly field: ReadField; readonly label: string }) {
  const choices = field.kind === 'boolean' ? ['true', 'false'] : field.values;
  if (choices) {
    return (
      <SelectField label={label} name="value">
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </SelectField>
    );
  }
  const types: Readonly<Record<string, string>> = { date: 'date', datetime: 'datetime-local' };
  return <TextField label={label} name="value" type={types[field.kind] ?? 'text'} required autoComplete="off" />;
}

/** Browsers return a local time without its offset, which the API requires. */
function sentValue(kind: string, value: string): string {
  return kind === 'datetime' ? new Date(value).toISOString() : value;
}
