import { type CompiledMapping, differingParts, type RawRow, type ValueProblem } from '@unified/connectors';
import type { ConnectionModel } from '../model/connection-model.ts';
import type { Deriving } from './stream-memory.ts';

/** How the rows of a stream are compared. */
export interface RowComparison {
  /** Columns that the comparison reads; null: all of them. */
  readonly columns: readonly string[] | null;
  /** Returns whether the records of a row differ by the earlier and the active mappings. */
  differs(row: RawRow): boolean;
}

/**
 * How rows are compared instead of being derived again. Null if the stored records may not be those of the mappings that were
 * active before, for example after a platform file changed: then all rows are derived again.
 */
export function comparisonOf(model: ConnectionModel, { mappings, from = {} }: Deriving): RowComparison | null {
  const changed = Object.keys(mappings).filter((entity) => mappings[entity] !== from[entity]);
  const earlier = model.earlier();
  const pairs = changed.flatMap((entity) => {
    const [before, after] = [earlier[entity], model.mappings[entity]];
    const isComparable = before && after && before.hash === from[entity] && isIndexedAlike(before, after);
    return isComparable ? [readingsOf(before, after)] : [];
  });
  if (pairs.length < changed.length) return null;
  const columns = pairs.flatMap((pair) => pair.columns ?? []);
  return {
    columns: pairs.some((pair) => pair.columns === null) ? null : [...new Set(columns)],
    differs: (row) => pairs.some(({ before, after }) => recordText(before, row) !== recordText(after, row)),
  };
}

/** An index of a custom field is filled for every record, including those that do not change. */
function isIndexedAlike({ definition: before }: CompiledMapping, { definition: after }: CompiledMapping): boolean {
  return JSON.stringify(before.customFields) === JSON.stringify(after.customFields);
}

type Reading = Pick<CompiledMapping, 'read'>;

/** Both readings of an entity, of only the parts that the mappings define differently if these are known. */
function readingsOf(
  before: CompiledMapping,
  after: CompiledMapping,
): { before: Reading; after: Reading; columns: readonly string[] | null } {
  const parts = differingParts(before, after);
  if (parts === null) return { before, after, columns: null };
  const [was, is] = [before.parts.reading(parts), after.parts.reading(parts)];
  return { before: was, after: is, columns: [...was.columns, ...is.columns] };
}

/** What a row contains and the problems in it. */
function recordText({ read }: Reading, row: RawRow): string {
  const problems: ValueProblem[] = [];
  return JSON.stringify([read(row, problems), problems]);
}
