import { type CompiledMapping, differingParts, type RawRow, type ValueProblem } from '@unified/connectors';
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
    return isComparable ? [readingsOf(before, after)] : [];
  });
  if (pairs.length < changed.length) return null;
  return (row) => pairs.some(([before, after]) => recordText(before, row) !== recordText(after, row));
}

/** An index of a custom field is filled for every record, including those that do not change. */
function isIndexedAlike({ definition: before }: CompiledMapping, { definition: after }: CompiledMapping): boolean {
  return JSON.stringify(before.customFields) === JSON.stringify(after.customFields);
}

type Read = CompiledMapping['read'];

/** Both readings of an entity, of only the parts that the mappings define differently if these are known. */
function readingsOf(before: CompiledMapping, after: CompiledMapping): readonly [before: Read, after: Read] {
  const parts = differingParts(before, after);
  return parts ? [before.parts.reading(parts), after.parts.reading(parts)] : [before.read, after.read];
}

/** What a row contains and the problems in it. */
function recordText(read: Read, row: RawRow): string {
  const problems: ValueProblem[] = [];
  return JSON.stringify([read(row, problems), problems]);
}
