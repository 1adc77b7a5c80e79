import type { ValueProblem } from '@unified/connectors';
import type { RowProblem } from '@unified/store';

/** The problems of one row as they are stored: each fault of a field once, with the number of its values. */
export function countedProblems(entity: string, problems: readonly ValueProblem[]): RowProblem[] {
  const faults = Map.groupBy(problems, ({ field, reason, message }) => [field, reason, message].join('\n'));
  return [...faults.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ entity, ...first, count: same.length }] : [];
  });
}
