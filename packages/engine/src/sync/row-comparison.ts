import type { CompiledMapping, RawRow, ValueProblem } from '@unified/connectors';
import type { ConnectionModel } from '../model/connection-model.ts';
import type { Deriving } from './stream-memory.ts';

/** Returns whether the records of a row differ by the earlier and the active mappings. */
export type Differs = (row: RawRow) => boolean;

/**
 * How rows are compared instead of being derived again. Null if the stored records may not be those of the mappings that were
 * active before, for example after a platform file changed: then all rows are derived again.
 */
export function comparisonOf(model: ConnectionModel, { mappings, from = {} }: Deriving): Differs | null {
  const changed = Object.keys(mappings).filter((entity) => mappings[entity] !== from[entity]);
  const earlier = model.earlier();
  const pairs = changed.flatMap((entity) => {
    const [before, after] = [earlier[entity], model.mappings[entity]];
    const isComparable = before && after && before.hash === from[entity] && isIndexedAlike(before, after);
    return isComparable ? [[before, after] as const] : [];
  });
  if (pairs.length < changed.length) return null;
  return (row) => pairs.some(([before, after]) => recordText(before, row) !== recordText(after, row));
}

/** An index of a custom field is filled for every record, including those that do not change. */
function isIndexedAlike({ definition: before }: CompiledMapping, { definition: after }: CompiledMapping): boolean {
  return JSON.stringify(before.customFields) === JSON.stringify(after.customFields);
}

/** The record and the problems of a row. */
function recordText(mapping: CompiledMapping, row: RawRow): string {
  const problems: ValueProblem[] = [];
  return JSON.stringify([mapping.read(row, problems), problems]);
}
