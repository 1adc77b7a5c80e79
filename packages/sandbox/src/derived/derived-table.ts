import { globSync, readFileSync } from 'node:fs';
import { AVAILABLE_ACTIONS, type Entity, entities, type Field, operations } from '@unified/contract';
import { sandboxFolder } from '../folders.ts';

const MAPPINGS = `${sandboxFolder}/mappings`;
/** Number of the first row. Codes continue it: `TC-1001`. */
export const FIRST = 1_001;

/** A column of a derived table, in SQL. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The table of an entity without a handwritten table: everything is derived from the entity. */
export interface DerivedTable {
  readonly entity: Entity;
  /** Fields that are stored: all but those that the service fills. */
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Prefix of codes, such as `TC-` for ToolCrib. */
  readonly prefix: string;
}

/** Tables of the entities without a mapping file. Views have no records of their own. */
export function derivedTables(): readonly DerivedTable[] {
  const mapped = handMade();
  return Object.values(entities)
    .filter(({ name, view }) => !view && !mapped.has(name))
    .map(derivedTable);
}

/** Names of the entities that have a mapping file. */
function handMade(): ReadonlySet<string> {
  const texts = globSync('*.yaml', { cwd: MAPPINGS }).map((file) => readFileSync(`${MAPPINGS}/${file}`, 'utf8'));
  return new Set(texts.flatMap((text) => /^entity: (\w+)$/m.exec(text)?.[1] ?? []));
}

export function derivedTable(entity: Entity): DerivedTable {
  const fields = entity.fields.filter(
    ({ name, kind }) => name !== 'id' && !name.startsWith('_') && name !== AVAILABLE_ACTIONS && kind !== 'custom',
  );
  const prefix = `${entity.name.replaceAll(/[^A-Z]/g, '')}-`;
  return { entity, fields, columns: fields.flatMap(columnsOf), prefix };
}

const TYPES: Readonly<Partial<Record<Field['kind'], string>>> = {
  number: 'numeric',
  integer: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  object: 'jsonb',
  relations: "jsonb NOT NULL DEFAULT '[]'",
  texts: "jsonb NOT NULL DEFAULT '[]'",
  objects: "jsonb NOT NULL DEFAULT '[]'",
};

function columnsOf({ name, kind, values, writable, nullable, targets = [] }: Field): Column[] {
  // Creates cannot contain the state of a record, but every record has one.
  const first = kind === 'enum' && !writable && !nullable ? ` NOT NULL DEFAULT '${values?.[0]}'` : '';
  const own = { name, type: `${TYPES[kind] ?? 'text'}${first}` };
  return kind === 'relation' && targets.length > 1 ? [own, { name: kindColumn(name), type: 'text' }] : [own];
}

/** Column with the entity of a reference that can point to several kinds. */
export function kindColumn(field: string): string {
  return `${field}Kind`;
}

/** Writes of the entity that the document describes. */
export function writesOf({ name }: Entity): string[] {
  const writes = ['create', 'update', 'replace', 'delete'];
  return writes.filter((write) =>
    Object.values(operations).some(({ kind, entity }) => kind === write && entity === name),
  );
}
