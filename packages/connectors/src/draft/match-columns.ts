import type { Entity, Field, FieldKind } from '@unified/contract';
import type { SystemColumn } from '../system-catalog.ts';
import { bare, namesOf, namesOfEntity } from './field-names.ts';

/** A field, and the column that matches it by name and type. */
export interface Match {
  readonly field: Field;
  readonly column: SystemColumn;
  /**
   * Why the column matches: it has the name of the field, the names of the table and the field, another name that systems use
   * for the field, for `code` the name of the table, or, for a relation, only a foreign key.
   */
  readonly by: 'name' | 'table' | 'synonym' | 'code' | 'foreignKey';
  /** The entity that a foreign key of the column refers to; absent if there is none, or it is not known. */
  readonly referred?: string;
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

/** The entities of the records to which a foreign key of a column refers. */
export type ReferredBy = (column: SystemColumn) => readonly string[];

/**
 * Matches the columns of a table to fields of an entity: first by name, then relations by the foreign keys of the columns that are
 * left. Each column is used once.
 */
export function matchColumns(
  entity: Entity,
  table: string,
  columns: readonly SystemColumn[],
  referredBy: ReferredBy = () => [],
): Match[] {
  const free = new Set(columns);
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
  const named = [...found.values()].map((match) => withReferred(match, referredBy(match.column)));
  const relations = entity.fields.filter(
    (field) => field.kind === 'relation' && !field.name.startsWith('_') && !found.has(field),
  );
  const matches = [...named, ...matchForeignKeys(relations, [...free], referredBy)];
  return entity.fields.flatMap((field) => matches.find((match) => match.field === field) ?? []);
}

function withReferred(match: Match, entities: readonly string[]): Match {
  const referred = entities.find((name) => match.field.targets?.includes(name));
  return referred === undefined ? match : { ...match, referred };
}

/** Foreign keys to records that only one of the relations can refer to, which only one of the columns contains. */
function matchForeignKeys(
  relations: readonly Field[],
  columns: readonly SystemColumn[],
  referredBy: ReferredBy,
): Match[] {
  const possible = columns.flatMap((column) => {
    const entities = referredBy(column);
    const fields = relations.filter(({ targets = [] }) => entities.some((name) => targets.includes(name)));
    const [field] = narrowed(fields);
    return field && narrowed(fields).length === 1 ? [withReferred({ field, column, by: 'foreignKey' }, entities)] : [];
  });
  return possible.filter(({ field }) => possible.filter((other) => other.field === field).length === 1);
}

/** Relations to one kind of record are preferred to those that can refer to several kinds. */
function narrowed(fields: readonly Field[]): readonly Field[] {
  const narrow = fields.filter(({ targets }) => targets?.length === 1);
  return narrow.length > 0 ? narrow : fields;
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

/** A number that identifies another record is no text, and no quantity. */
function canHold({ kind }: Field, { scalar, refersTo }: SystemColumn): boolean {
  const isKey = refersTo !== undefined && scalar?.type === 'number';
  if (isKey && (kind === 'text' || kind === 'number' || kind === 'integer')) return false;
  return scalar !== undefined && CONVERTED[kind]?.includes(scalar.type) === true;
}

function isNamed({ name }: SystemColumn, wanted: string, prefixes: readonly string[]): boolean {
  const own = bare(name);
  if (wanted === 'code' && prefixes.includes(own)) return true; // `Supplier` of a supplier
  return own === wanted || prefixes.some((prefix) => own === `${prefix}${wanted}`);
}

/** Prefixes that column names repeat from their table: `supplier_name` in the table `suppliers`, `VendorName` of a vendor. */
function ownPrefixes({ name }: Entity, table: string): string[] {
  const part = bareFile(table).split('.').at(-1) ?? table;
  const words = [part, part.split('_').at(-1) ?? part].map(bare);
  const singular = words.flatMap((word) => [word, word.replace(/ies$/, 'y'), word.replace(/s$/, '')]);
  return [...new Set([...namesOfEntity(name), ...singular])];
}

/** The name of a table without what only files have: an extension, and the place of a number (`orders-*.csv`). */
function bareFile(table: string): string {
  return table.replace(/\.(csv|tsv|txt|xlsx|xlsm)$/i, '').replace(/[-_. ]?\*/, '');
}
