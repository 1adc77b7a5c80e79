import { type Entity, entities } from '@unified/contract';
import type { Platform } from '../platform.ts';
import { bare, namesOfEntity } from './field-names.ts';
import type { ReferredBy } from './match-columns.ts';

/**
 * How foreign keys are followed in a platform: the entities that are read from the table, if a stream with this key reads it. For a
 * table that no mapping reads, the entities whose name it has.
 */
export function referredEntities({ streams, mappings }: Platform): ReferredBy {
  return ({ refersTo }) => {
    if (!refersTo) return [];
    const reading = streams.filter((stream) => tablesOf(stream).includes(refersTo.table));
    const mapped = Object.values(mappings).filter(({ stream }) => reading.some(({ name }) => name === stream));
    if (mapped.length === 0) return namedLike(refersTo.table);
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
