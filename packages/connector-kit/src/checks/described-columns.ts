import { checkSystem } from '@unified/engine';
import { type ConformanceCheck, outcomeOf, skipped } from '../conformance-check.ts';

/** The platform names only what exists in the system. */
export const describedColumns: ConformanceCheck = {
  name: 'described-columns',
  points: 5,
  asserts: 'The system has every table, column, right and action that the platform names.',
  consequence: 'Fields would stay empty, or writes and actions would fail.',
  async run({ platform, settings, wait }) {
    const { streams, problems } = await checkSystem(platform, settings, { wait });
    const known = streams.filter(({ columns }) => columns !== null).length;
    const findings = problems.filter(({ blocks, remedy }) => blocks || remedy !== '');
    if (findings.length === 0 && streams.every(({ columns, sample }) => columns === null && sample === null))
      return skipped('no stream has rows or describes its columns');
    const notes = problems
      .filter((problem) => !findings.includes(problem))
      .map((each) => `${each.place}: ${each.problem}`);
    return outcomeOf(
      findings.map(({ place, problem, remedy }) => ({ place, problem, remedy })),
      `${streams.length} streams, ${known} of them with their columns`,
      notes,
    );
  },
};
