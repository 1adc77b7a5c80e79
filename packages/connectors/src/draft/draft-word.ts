import type { Field } from '@unified/contract';
import type { Json } from '../json.ts';
import { pathOfColumn } from '../mapping/path.ts';
import { bare } from './field-names.ts';
import type { Match } from './match-columns.ts';

/** A word of a mapping, and values of the column that it cannot convert yet. */
export interface DraftedWord {
  readonly word: Json;
  readonly unassigned: readonly string[];
}

/**
 * The word that reads a column as a field. For fields with listed values, `values` are the values in the column. Null if the
 * word needs a decision that nothing in the system suggests.
 */
export function draftedWord({ field, column, referred }: Match, values: readonly string[]): DraftedWord | null {
  const { scalar, form } = column;
  const name = pathOfColumn(column.name);
  const sure = (word: Json) => ({ word, unassigned: [] });
  switch (field.kind) {
    case 'date':
      return sure({ date: form?.date === undefined ? name : { from: name, format: form.date } });
    case 'datetime':
      return sure({ datetime: form?.date === undefined ? name : { from: name, format: form.date } });
    case 'boolean':
      return sure({ boolean: scalar?.type === 'boolean' ? name : { from: name, true: [1], false: [0] } });
    case 'relation':
      return sure({
        ref: { entity: referred ?? field.targets?.[0] ?? '', by: identifiedBy(column, referred), value: name },
      });
    case 'enum':
      return lookup(field, name, values);
    case 'number':
    case 'integer':
      return sure(form?.decimal === undefined ? name : { number: { from: name, decimal: form.decimal } });
    default:
      return sure(name);
  }
}

/**
 * A foreign key contains the key of the other row. Without one, codes are recognized by the name of the column; everything else is
 * that key.
 */
function identifiedBy({ name }: Match['column'], referred: string | undefined): 'code' | '_idValue' {
  return referred === undefined && /(?:code|no|nr|number|nummer)$/.test(bare(name)) ? 'code' : '_idValue';
}

/** Assigns the values that match a value of the document by name, ignoring case and separators. */
function lookup({ values: listed = [] }: Field, from: string, values: readonly string[]): DraftedWord | null {
  const meanings = new Map(listed.map((value) => [bare(value), value]));
  const table: Record<string, string> = {};
  for (const value of values) {
    const meaning = meanings.get(bare(value));
    if (meaning !== undefined) table[value] = meaning;
  }
  if (Object.keys(table).length === 0) return null;
  return { word: { lookup: { from, table } }, unassigned: values.filter((value) => !Object.hasOwn(table, value)) };
}
