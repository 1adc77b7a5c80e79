import type { Entity } from '@unified/contract';
import type { Json } from '../json.ts';
import { namesOfPath, pathOfColumn } from '../mapping/path.ts';
import type { SystemColumn } from '../system-catalog.ts';
import { bare, namesOfText } from './field-names.ts';
import type { Proposal } from './proposal.ts';

/** A word that combines several columns. */
export interface CombinedWord {
  readonly field: string;
  readonly word: Json;
  readonly columns: readonly string[];
  readonly proposal: Proposal;
}

/** Address fields, and how systems begin the names of their columns. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  shippingAddress: ['ship', 'shipping', 'shipto', 'delivery'],
  billingAddress: ['bill', 'billing', 'billto', 'invoice', ''],
  address: [''],
};

/** Parts of an address that are texts without a pattern. */
const PARTS = ['addressee', 'line1', 'line2', 'line3', 'city', 'county', 'state', 'postalCode'];

/** An address needs as many parts, since one column, such as `city`, may mean something else. */
const FEWEST = 2;

/** The words that combine columns which no field uses on its own: addresses, and the name of a person. */
export function combinedWords(
  entity: Entity,
  columns: readonly SystemColumn[],
  fields: ReadonlyMap<string, Json>,
  used: ReadonlySet<string>,
): CombinedWord[] {
  const free = new Map(columns.filter(({ name }) => !used.has(name)).map(({ name }) => [bare(name), name]));
  const addresses = Object.keys(ADDRESSES).flatMap((field) => addressOf(field, entity, free) ?? []);
  return [...(personName(entity, fields, free) ?? []), ...addresses];
}

function addressOf(field: string, entity: Entity, free: Map<string, string>): CombinedWord | null {
  if (entity.field[field]?.kind !== 'object') return null;
  // Columns without a prefix belong to "address", if the entity has one.
  const hasPlainColumns = field === 'address' || !entity.field.address;
  const prefixes = ADDRESSES[field]?.filter((prefix) => prefix !== '' || hasPlainColumns) ?? [];
  for (const prefix of prefixes) {
    const parts = PARTS.flatMap((part) => {
      const names = [...namesOfText(part), ...(part === 'addressee' && prefix !== '' ? ['name'] : [])];
      const column = names.map((name) => free.get(`${prefix}${name}`)).find((name) => name !== undefined);
      return column === undefined ? [] : [[part, column] as const];
    });
    if (parts.length < FEWEST) continue;
    const found = parts.map(([, column]) => column);
    for (const column of found) free.delete(bare(column));
    return combined(
      field,
      { object: { fields: Object.fromEntries(parts.map(([part, column]) => [part, pathOfColumn(column)])) } },
      found,
      'parts of an address',
    );
  }
  return null;
}

/**
 * First and last name, if no column has the whole name. In a table of firms and persons, such as customers, the name of the firm
 * comes first.
 */
function personName(
  { field }: Entity,
  fields: ReadonlyMap<string, Json>,
  free: ReadonlyMap<string, string>,
): CombinedWord[] | null {
  const freeColumn = (part: string) => namesOfText(part).flatMap((name) => free.get(name) ?? [])[0];
  const columnOf = (part: string) => fields.get(part) ?? pathOfColumn(freeColumn(part) ?? '');
  const [first, last] = [columnOf('firstName'), columnOf('lastName')];
  if (!field.name || fields.has('name') || !isPath(first) || !isPath(last)) return null;
  const names = [first, last].flatMap((path) => namesOfPath(path)[0] ?? []);
  const person = { concat: { parts: [first, last], separator: ' ' } };
  const firm = field.lastName ? undefined : free.get('company');
  if (firm === undefined) return [combined('name', person, names, 'first and last name of a person')];
  const word = { coalesce: [pathOfColumn(firm), person] };
  return [combined('name', word, [firm, ...names], 'name of a firm, and the first and last name of a person')];
}

function isPath(word: Json): word is string {
  return typeof word === 'string' && word !== '';
}

function combined(field: string, word: Json, columns: readonly string[], meaning: string): CombinedWord {
  const [column = ''] = columns;
  const reason = `The columns ${columns.join(', ')} are called like the ${meaning}.`;
  return { field, word, columns, proposal: { column, reason, confidence: 0.75 } };
}
