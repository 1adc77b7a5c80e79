import { type Entity, entities } from '@unified/contract';
import type { Driver } from '../driver.ts';
import type { Platform } from '../platform.ts';
import type { SystemColumn } from '../system-catalog.ts';
import { bare, namesOfEntity } from './field-names.ts';
import type { ReferredBy } from './match-columns.ts';

/** Primary keys that consist of one column, by table. */
export type SingleKeys = ReadonlyMap<string, string>;

/**
 * The keys of the tables to which foreign keys of the columns refer, as the catalog of the system lists them. Throws
 * `SystemError`.
 */
export async function keysOfReferred({ discover }: Driver, columns: readonly SystemColumn[]): Promise<SingleKeys> {
  const keys = new Map<string, string>();
  for (const table of new Set(columns.flatMap(({ refersTo }) => refersTo?.table ?? []))) {
    const page = await discover?.catalog?.columns(table, { from: null });
    const [first, ...more] = page?.items.filter(({ keyPosition }) => keyPosition !== null) ?? [];
    if (first && more.length === 0) keys.set(table, first.name);
  }
  return keys;
}

/** A table that will be mapped to an entity, with its primary key as the key of its stream. */
export interface PlannedTable {
  readonly table: string;
  readonly entity: Entity;
}

/** What is known about the tables to which foreign keys refer. */
interface ReferredTables {
  readonly platform: Platform;
  readonly planned: readonly PlannedTable[];
  readonly keys: SingleKeys;
  readonly listedName: (table: string) => string;
}

/**
 * How foreign keys are followed in a platform: the entities that are read from the table, if a stream with this key reads it, or
 * that it is planned to be mapped to. For a table that no mapping reads, the entities whose name it has. The foreign key of a
 * table without a stream must refer to its primary key.
 */
export function referredEntities({ platform, planned, keys, listedName }: ReferredTables): ReferredBy {
  const { streams, mappings } = platform;
  const isTable = (name: unknown, table: string) => typeof name === 'string' && listedName(name) === table;
  return ({ refersTo }) => {
    if (!refersTo) return [];
    const isPrimary = keys.get(refersTo.table) === refersTo.column;
    const soon = planned.filter(({ table }) => isTable(table, refersTo.table));
    if (soon.length > 0) return isPrimary ? soon.map(({ entity }) => entity.name) : [];
    const reading = streams.filter((stream) => isTable(tableOf(stream), refersTo.table));
    const mapped = Object.values(mappings).filter(({ stream }) => reading.some(({ name }) => name === stream));
    if (mapped.length === 0) return isPrimary ? namedLike(refersTo.table) : [];
    const keyed = reading.filter(({ key }) => key.length === 1 && key[0] === refersTo.column).map(({ name }) => name);
    return mapped.filter(({ stream }) => keyed.includes(stream)).map(({ entity }) => entity);
  };
}

/** The table, or the entity set, that a stream reads. */
export function tableOf({ name, options: { table, view, set } }: Platform['streams'][number]): unknown {
  return table ?? view ?? set ?? name;
}

/** The entities that the name of a table means: `suppliers`, `tblSupplier` and `Purchasing.Vendor` are vendors. */
function namedLike(table: string): string[] {
  const last = bare((table.split('.').at(-1) ?? table).replace(/^tbl_?/i, ''));
  const names = new Set([last, last.replace(/ies$/, 'y'), last.replace(/s$/, ''), last.replace(/es$/, '')]);
  const isNamed = ({ name }: Entity) => namesOfEntity(name).some((each) => names.has(each));
  return Object.values(entities)
    .filter((entity) => !entity.view && isNamed(entity))
    .map(({ name }) => name);
}
