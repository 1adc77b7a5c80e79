import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';
import { overRows, someOf } from '../surveyed-streams.ts';

/** Keys identify rows. */
export const uniqueKeys: ConformanceCheck = {
  name: 'unique-keys',
  points: 10,
  asserts: 'Every row has a key, and no two rows of a stream have the same one.',
  consequence: 'If several rows had the same key, only one would become a record.',
  run: overRows((surveys) => {
    const findings = surveys.flatMap(({ stream, keys }) => {
      const place = stream.name;
      const remedy = `In \`key\` of the stream, name the columns that identify a row; it is now ${stream.key.join(', ')}.`;
      const empty = keys.filter((key) => key === '' || key.split('/').includes(''));
      const seen = new Set<string>();
      const repeated = keys.filter((key) => seen.size === seen.add(key).size);
      return [
        ...(empty.length > 0 ? [{ place, problem: `${empty.length} rows have no key.`, remedy }] : []),
        ...(repeated.length > 0
          ? [{ place, problem: `Several rows have the same key: ${someOf([...new Set(repeated)])}.`, remedy }]
          : []),
      ];
    });
    return outcomeOf(findings, `${surveys.reduce((sum, { keys }) => sum + keys.length, 0)} keys`);
  }),
};
