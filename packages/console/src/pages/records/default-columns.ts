import type { ReadField } from '../../contract/entity-facts.ts';

const MOST = 7;
/** Kinds that a cell can show. */
const SHOWN = ['text', 'number', 'integer', 'boolean', 'date', 'datetime', 'enum', 'relation', 'relations', 'texts'];
/** Fields by which people recognize a record, in the order of the columns. */
const FIRST = ['code', 'name', 'number', 'title', 'status', 'statusCategory'];
/** Long texts, which would push the other columns aside. */
const LONG = ['description', 'notes', 'instructions'];

/** Fields that can be columns: those with a value that fits into a cell. */
export function possibleColumns(fields: readonly ReadField[]): readonly ReadField[] {
  return fields.filter(({ name, kind }) => SHOWN.includes(kind) && name !== '_implements' && name !== '_deletedAt');
}

/**
 * The columns of a list before anyone chose others: what identifies a record, then the first fields that the connected
 * system has values for.
 *
 * @param readFields Names of the fields with values in the connected system.
 */
export function defaultColumns(fields: readonly ReadField[], readFields: readonly string[]): string[] {
  const usable = possibleColumns(fields)
    .map(({ name }) => name)
    .filter((name) => readFields.includes(name) && !LONG.includes(name));
  const first = FIRST.filter((name) => usable.includes(name));
  const rest = usable.filter((name) => !first.includes(name));
  const chosen = [...first, ...rest].slice(0, MOST);
  return first.length > 0 ? chosen : ['_displayValue', ...chosen.slice(0, MOST - 1)];
}
