import { checkSystem } from '@unified/engine';
import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';

/** The platform names only what exists in the system. */
export const describedColumns: ConformanceCheck = {
  name: 'described-columns',
  points: 5,
  asserts: 'The system has every table, column, right and action that the platform names.',
  consequence: 'Fields would stay empty, or writes and actions would fail.',
  async run({ platform, settings }) {
    const { streams, problems } = await checkSystem(platform, settings);
    const known = streams.filter(({ columns }) => columns !== null).length;
    const findings = problems.filter(({ blocks, remedy }) => blocks || remedy !== '');
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
