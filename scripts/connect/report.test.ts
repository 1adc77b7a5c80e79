import { expect, it } from 'vitest';
import { reportLines } from './report.ts';

it('reports a problem of several streams once, with the streams', () => {
  const streams = ['a', 'b', 'c', 'd', 'e'].map((stream) => ({
    ...{ stream, entities: [], columns: 1, sample: null, blocked: false },
  }));
  const note = { problem: 'Grant it pg_read_all_stats.', remedy: '', blocks: false };
  const own = { place: 'b', problem: 'b has no column "x".', remedy: 'Correct it.', blocks: true };
  const problems = [...streams.map(({ stream }) => ({ ...note, place: stream })), own];
  expect(reportLines({ streams, problems }).split('\n').slice(6)).toEqual([
    '! a, b, c and 2 more: Grant it pg_read_all_stats.',
    '✗ b: b has no column "x". Correct it.',
  ]);
});
