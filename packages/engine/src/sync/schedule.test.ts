import { expect, test } from 'vitest';
import { modeDue, nextRun, scheduleOf } from './schedule.ts';

const now = Date.parse('2026-11-20T09:00:00Z');

test('without settings: what changed every 15 minutes, everything once a day', () => {
  expect(scheduleOf({})).toEqual({ every: 15 * 60_000, fullEvery: 24 * 3_600_000 });
});

test.each([
  { given: { everyMinutes: 5 }, want: { every: 5 * 60_000, fullEvery: 24 * 3_600_000 } },
  { given: { everyMinutes: 0, fullEveryHours: 12 }, want: { every: 60_000, fullEvery: 12 * 3_600_000 } },
  { given: { everyMinutes: 'often' }, want: { every: 15 * 60_000, fullEvery: 24 * 3_600_000 } },
])('settings $given are taken within reason', ({ given, want }) => {
  expect(scheduleOf({ sync: given })).toEqual(want);
});

test.each([
  { title: 'never read in full', fullAt: null, want: 'full' },
  { title: 'read in full an hour ago', fullAt: '2026-11-20T08:00:00Z', want: 'incremental' },
  { title: 'read in full a day ago', fullAt: '2026-11-19T09:00:00Z', want: 'full' },
])('a stream that was $title is due in mode $want', ({ fullAt, want }) => {
  expect(modeDue(fullAt, scheduleOf({}), now)).toBe(want);
});

test('after a failure the next run comes sooner', () => {
  expect(nextRun(scheduleOf({}), false, now, () => 0)).toBe('2026-11-20T09:15:00.000Z');
  expect(nextRun(scheduleOf({}), true, now, () => 0)).toBe('2026-11-20T09:02:00.000Z');
});
