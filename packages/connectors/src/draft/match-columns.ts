import type { Entity, Field, FieldKind } from '@unified/contract';
import type { SystemColumn } from '../system-catalog.ts';
import { bare, namesOf, namesOfEntity } from './field-names.ts';

/** A field, and the column that matches it by name and type. */
export interface Match {
  readonly field: Field;
  readonly column: SystemColumn;
  /**
   * Why the column matches: it has the name of the field, the names of the table and the field, another name that systems use
   * for the field, or, for `code`, the name of the table.
   */
  readonly by: 'name' | 'table' | 'synonym' | 'code';
}

type Scalar = NonNullable<SystemColumn['scalar']>['type'];

/** Types of columns that a word can convert to a kind. Kinds that are not named here are not drafted. */
const CONVERTED: Readonly<Partial<Record<FieldKind, readonly Scalar[]>>> = {
  text: ['string', 'number'],
  number: ['number'],
  integer: ['number'],
  boolean: ['boolean', 'number'],
  date: ['date', 'dateTime', 'string'],
  datetime: ['dateTime', 'date', 'string'],
  enum: ['string', 'number'],
  relation: ['string', 'number'],
};

/** Matches the columns of a table to fields of an entity by name. Each column is used once. */
export function matchColumns(entity: Entity, table: string, columns: readonly SystemColumn[]): Match[] {
  const free = new Set(columns.filter(isPath));
  const prefixes = ownPrefixes(entity, table);
  const fields = entity.fields.filter(canBeDrafted);
  const isPerson = entity.field.lastName !== undefined;
  const names = fields.map((field) => ({ field, names: namesOf(field, isPerson) }));
  const found = new Map<Field, Match>();
  // Exact names of all fields come first, so that no synonym takes the column of another field.
  const deepest = Math.max(0, ...names.map(({ names: each }) => each.length));
  for (let depth = 0; depth < deepest; depth++) {
    for (const { field, names: each } of names) {
      const name = each[depth];
      if (name === undefined || found.has(field)) continue;
      const column = [...free].find((one) => isNamed(one, name, prefixes) && canHold(field, one));
      if (!column) continue;
      found.set(field, { field, column, by: reasonOf(column, name, { prefixes, isOwn: depth === 0 }) });
      free.delete(column);
    }
  }
  return fields.flatMap((field) => found.get(field) ?? []);
}

function reasonOf(
  { name }: SystemColumn,
  wanted: string,
  { prefixes, isOwn }: { readonly prefixes: readonly string[]; readonly isOwn: boolean },
): Match['by'] {
  if (wanted === 'code' && prefixes.includes(bare(name))) return 'code';
  if (!isOwn) return 'synonym';
  return bare(name) === wanted ? 'name' : 'table';
}

/** Whether the connected system can fill the field from a single column. */
export function canBeDrafted({ name, kind, targets = [] }: Field): boolean {
  if (name === 'id' || name.startsWith('_')) return false;
  return kind === 'relation' ? targets.length === 1 : CONVERTED[kind] !== undefined;
}

/** Whether mappings can name a column: they read `a.b` as the property `b` of `a`. */
function isPath({ name }: SystemColumn): boolean {
  return !name.includes('.');
}

function canHold({ kind }: Field, { scalar }: SystemColumn): boolean {
  return scalar !== undefined && CONVERTED[kind]?.includes(scalar.type) === true;
}

function isNamed({ name }: SystemColumn, wanted: string, prefixes: readonly string[]): boolean {
  const own = bare(name);
  if (wanted === 'code' && prefixes.includes(own)) return true; // `Supplier` of a supplier
  return own === wanted || prefixes.some((prefix) => own === `${prefix}${wanted}`);
}

/** Prefixes that column names repeat from their table: `supplier_name` in the table `suppliers`, `VendorName` of a vendor. */
function ownPrefixes({ name }: Entity, table: string): string[] {
  const part = table.split('.').at(-1) ?? table;
  const words = [part, part.split('_').at(-1) ?? part].map(bare);
  const singular = words.flatMap((word) => [word, word.replace(/ies$/, 'y'), word.replace(/s$/, '')]);
  return [...new Set([...namesOfEntity(name), ...singular])];
}
