import { useQuery } from '@tanstack/react-query';
import { type InputHTMLAttributes, useDeferredValue, useEffect } from 'react';
import { recordCalls } from '../../api/record-calls.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import type { FormField } from '../../contract/entity-facts.ts';

const MOST_OPTIONS = 20;

interface RelationInputProps {
  readonly field: FormField;
  readonly connectionId: string;
  readonly input: InputHTMLAttributes<HTMLInputElement> & { readonly id: string };
  readonly onChange: (value: string) => void;
  readonly onOptions: (idByLabel: ReadonlyMap<string, string>) => void;
}

/** A relation: a text that proposes the records whose label contains it. */
export function RelationInput({ field, connectionId, input, onChange, onOptions }: RelationInputProps) {
  const [target] = field.targets ?? [];
  const entity = target === undefined ? undefined : catalogEntity(target);
  const sought = useDeferredValue(String(input.value ?? ''));
  const { data: options = [] } = useQuery({
    queryKey: ['connection', connectionId, 'options', target, sought],
    queryFn: async ({ signal }) => {
      const filter = sought === '' ? {} : { filter: { _displayValue: { contains: sought } } };
      const page = { per_page: MOST_OPTIONS, fields: ['_displayValue'], signal };
      return (await recordCalls(connectionClient(connectionId), entity?.collection ?? '').list({ ...filter, ...page }))
        .data;
    },
    enabled: entity !== undefined,
    staleTime: 60_000,
  });
  useEffect(
    () => onOptions(new Map(options.map(({ id, _displayValue }) => [_displayValue, id]))),
    [options, onOptions],
  );
  const list = `${input.id}-options`;
  return (
    <>
      <input
        {...input}
        list={list}
        autoComplete="off"
        placeholder={entity?.title}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {options.map(({ id, _displayValue }) => (
          <option key={id} value={_displayValue} />
        ))}
      </datalist>
    </>
  );
}
