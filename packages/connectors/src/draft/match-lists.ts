import type { Entity } from '@unified/contract';
import type { Json } from '../json.ts';
import { pathOfColumn } from '../mapping/path.ts';
import type { SystemList } from '../system-catalog.ts';
import type { Proposal } from './proposal.ts';

/** A table that is mapped to an entity, with the key of its stream. */
export interface MappedTable {
  readonly table: string;
  readonly entity: string;
  readonly key: readonly string[];
}

/** A field that refers to the rows of a list. */
export interface ListMatch {
  readonly field: string;
  readonly list: string;
  readonly word: Json;
  readonly proposal: Proposal;
}

/**
 * Matches fields with lists of records, such as the lines of an order, to the lists whose rows are mapped to these records. A list
 * is left out if it matches several fields, or if several lists match the same field.
 */
export function matchLists(entity: Entity, lists: readonly SystemList[], mapped: readonly MappedTable[]): ListMatch[] {
  const possible = entity.fields.flatMap(({ name: field, kind, targets = [] }) =>
    kind !== 'relations'
      ? []
      : lists.flatMap(({ name: list, tables }) => {
          const rows = mapped.find((each) => tables.includes(each.table) && targets.includes(each.entity));
          return rows ? [{ field, list, rows }] : [];
        }),
  );
  const isOnly = (one: (typeof possible)[number]) =>
    possible.filter(({ field, list }) => field === one.field || list === one.list).length === 1;
  return possible.filter(isOnly).map(({ field, list, rows: { entity: target, key } }) => {
    const [only = '', ...more] = key.map(pathOfColumn);
    const value = more.length === 0 ? only : { key: [only, ...more] };
    const reason = `The rows of this list are mapped to ${target}.`;
    return {
      ...{ field, list, proposal: { column: list, reason, confidence: 0.9 } },
      word: { refs: { entity: target, by: '_idValue', each: pathOfColumn(list), value } },
    };
  });
}
