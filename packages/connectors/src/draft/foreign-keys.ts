import { type Entity, entities } from '@unified/contract';
import type { Driver } from '../driver.ts';
import type { Platform } from '../platform.ts';
import type { SystemColumn } from '../system-catalog.ts';
import { bare, namesOfEntity } from './field-names.ts';
import type { ReferredBy } from './match-columns.ts';

/** Primary keys that consist of one column, by table. */
export type SingleKeys = ReadonlyMap<string, string>;

/** The keys of the tables to which foreign keys of the columns refer, as the catalog of the system lists them. Throws `SystemError`. */
export async function keysOfReferred({ discover }: Driver, columns: readonly SystemColumn[]): Promise<SingleKeys> {
  const keys = new Map<string, string>();
  for (const table of new Set(columns.flatMap(({ refersTo }) => refersTo?.table ?? []))) {
    const page = await discover?.catalog?.columns(table, { from: null });
    const [first, ...more] = page?.items.filter(({ keyPosition }) => keyPosition !== null) ?? [];
    if (first && more.length === 0) keys.set(table, first.name);
  }
  return keys;
}

/**
 * How foreign keys are followed in a platform: the entities that are read from the table, if a stream with this key reads it. For a
 * table that no mapping reads, the entities whose name it has, if the foreign key refers to its primary key.
 */
export function referredEntities({ streams, mappings }: Platform, keys: SingleKeys): ReferredBy {
  return ({ refersTo }) => {
    if (!refersTo) return [];
    const reading = streams.filter((stream) => tablesOf(stream).includes(refersTo.table));
    const mapped = Object.values(mappings).filter(({ stream }) => reading.some(({ name }) => name === stream));
    if (mapped.length === 0) return keys.get(refersTo.table) === refersTo.column ? namedLike(refersTo.table) : [];
    const keyed = reading.filter(({ key }) => key.length === 1 && key[0] === refersTo.column).map(({ name }) => name);
    return mapped.filter(({ stream }) => keyed.includes(stream)).map(({ entity }) => entity);
  };
}

function tablesOf({ name, options: { table, view } }: Platform['streams'][number]): unknown[] {
  return [table ?? view ?? name];
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
