import { type ConformanceCheck, outcomeOf, skipped } from '../conformance-check.ts';
import { overRows } from '../surveyed-streams.ts';

/** Values have the types that the mappings expect. */
export const convertibleValues: ConformanceCheck = {
  name: 'convertible-values',
  points: 5,
  asserts: 'Every value that a mapping reads has the type of its field, and is one that the contract allows.',
  consequence: 'The field would be empty in some records.',
  run: overRows((surveys) => {
    const findings = surveys.flatMap(({ problems }) =>
      [...problems].map(([place, { message, example }]) => ({
        place: place.slice(0, place.indexOf(': ')),
        problem: `${message.replace(/\.$/, '')}${example === null ? '' : `, for example "${example}"`}.`,
        remedy: 'Correct the expression of the field in the mapping, or the value in the system.',
      })),
    );
    const records = surveys.flatMap((survey) => [...survey.records.values()]).reduce((sum, count) => sum + count, 0);
    if (findings.length === 0 && records === 0) return skipped('no records');
    return outcomeOf(findings, `${records} records`);
  }),
};
