import { hash } from 'node:crypto';
import type { Entity, Field, FieldKind } from '@unified/contract';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
}

export interface Index {
  readonly name: string;
  /** What follows `create index <name> on <table>`. */
  readonly definition: string;
}

/** The table of an entity in schema `data`. */
export interface Table {
  /** Quoted, with its schema: `data."work_orders"`. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly constraints: readonly string[];
  readonly indexes: readonly Index[];
}

/** Kinds of fields that have no column, because they are only in the document. */
type DocumentKind = 'object' | 'objects';

/** Column type per kind of field. A date is stored as its midnight in UTC, so that dates and timestamps can be compared. */
const TYPES: Readonly<Record<Exclude<FieldKind, DocumentKind>, string>> = {
  text: 'text',
  number: 'numeric',
  integer: 'numeric',
  boolean: 'boolean',
  date: 'timestamptz',
  datetime: 'timestamptz',
  enum: 'text',
  relation: 'uuid',
  relations: 'uuid[]',
  texts: 'text[]',
  custom: 'jsonb',
};

const ALWAYS_SET = new Set(['id', 'code', '_source', '_idValue', '_displayValue', '_updatedAt', '_createdAt']);
const INDEXED = new Set([
  'code',
  'name',
  '_displayValue',
  '_updatedAt',
  'statusCategory',
  'dueAt',
  'dueDate',
  'sha256',
]);

/** Maximum length of a text in an indexed column: an index entry must fit into a third of a page. */
export const LONGEST_INDEXED = 600;

/** Name of the entity's table, quoted and with its schema. */
export function tableOf(entity: Entity): string {
  return `data."${entity.table}"`;
}

/** Interfaces that every record of an entity implements. */
export function interfacesOf(entity: Entity): string[] {
  return ['Entity', entity.name];
}

/**
 * Type of the column of a field; undefined if the field is only in the document, or is the same for all records
 * (`_implements`). `id` is text on the wire.
 */
export function columnType(field: Field): string | undefined {
  if (field.name === 'id') return 'uuid';
  if (field.name === '_implements') return undefined;
  return isDocumentKind(field.kind) ? undefined : TYPES[field.kind];
}

/** Whether fields of this kind are stored only in the document, without a column. */
export function isDocumentKind(kind: FieldKind): kind is DocumentKind {
  return kind === 'object' || kind === 'objects';
}

/** Whether the column of a field always has a value. */
export function isAlwaysSet(field: Field): boolean {
  return ALWAYS_SET.has(field.name);
}

/** The table that an entity needs, derived from its fields; `further` are additional indexes that views need. */
export function deriveTable(entity: Entity, further: readonly Index[] = []): Table {
  const columns = entity.fields.flatMap((field) => {
    const type = columnType(field);
    return type === undefined ? [] : [{ name: field.name, type, notNull: isAlwaysSet(field) }];
  });
  return {
    name: tableOf(entity),
    columns: [
      { name: 'connection_id', type: 'uuid', notNull: true },
      ...columns,
      { name: 'doc', type: 'json', notNull: true },
      { name: 'version', type: 'bigint', notNull: true },
    ],
    // "_idValue" comes first: references are looked up by it without knowing the source.
    constraints: ['primary key (connection_id, id)', 'unique (connection_id, "_idValue", "_source")'],
    indexes: [...indexedFields(entity).map((field) => indexOn(entity, field)), ...further],
  };
}

/** Fields by which lists can be filtered or sorted without reading every record. */
function indexedFields(entity: Entity): readonly Field[] {
  const filedUnder = dateOf(entity);
  return entity.fields.filter((field) => isIndexed(field) || field === filedUnder);
}

/** Whether every entity with this field can be filtered by it without reading every record. */
export function isIndexed(field: Field): boolean {
  return field.kind === 'relation' || INDEXED.has(field.name);
}

/**
 * The date that lists of dated records are usually filtered by: the first date field of the entity itself. Master data has
 * none.
 */
function dateOf(entity: Entity): Field | undefined {
  if (entity.field.name && !entity.field.statusCategory) return undefined;
  return entity.fields.find(({ name, kind }) => (kind === 'date' || kind === 'datetime') && !name.startsWith('_'));
}

/**
 * Begins with the connection and ends with the id, so that a filtered list can be read in order from any position. Most
 * relations are empty, and empty ones are never looked up by index, so they are left out.
 */
function indexOn(entity: Entity, { name, kind }: Field): Index {
  const linked = kind === 'relation' ? ` and "${name}" is not null` : '';
  const definition = `(connection_id, "${name}", id) where "_deletedAt" is null${linked}`;
  return { name: indexName(`${entity.table}_${name}`), definition };
}

/** PostgreSQL truncates names to 63 bytes, so a longer name ends in a hash. */
export function indexName(wanted: string): string {
  if (wanted.length <= 63) return wanted;
  return `${wanted.slice(0, 54)}_${hash('sha256', wanted).slice(0, 8)}`;
}

/** Fields of an entity whose values are lists of references. */
export function listFields(entity: Entity): readonly Field[] {
  return entity.fields.filter(({ kind }) => kind === 'relations');
}

/** Name of the links of a list: `PurchaseOrder.lines`. */
export function linkName(entity: string, { name }: Pick<Field, 'name'>): string {
  return `${entity}.${name}`;
}

/** Caches the result of `derive` per entity: it is needed for every record. */
export function perEntity<T extends NonNullable<unknown>>(derive: (entity: Entity) => T): (entity: Entity) => T {
  const known = new WeakMap<Entity, T>();
  return (entity) => {
    let derived = known.get(entity);
    if (derived === undefined) {
      derived = derive(entity);
      known.set(entity, derived);
    }
    return derived;
  };
}
