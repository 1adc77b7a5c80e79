import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { modeDue, nextRun, scheduleOf } from './sync-run.ts';

const now = Date.parse('2026-11-20T09:00:00Z');

const schedule = scheduleOf({ syncEveryMinutes: 15, fullSyncEveryHours: 24 });

test('the stored schedule is in milliseconds', () => {
  expect(schedule).toEqual({ every: 15 * 60_000, fullEvery: 24 * 3_600_000 });
});

test.each([
  { title: 'never read in full', fullAt: null, want: 'full' },
  { title: 'read in full an hour ago', fullAt: '2026-11-20T08:00:00Z', want: 'incremental' },
  { title: 'read in full a day ago', fullAt: '2026-11-19T09:00:00Z', want: 'full' },
])('a stream that was $title is due in mode $want', ({ fullAt, want }) => {
  expect(modeDue(fullAt, schedule, now)).toBe(want);
});

test('after a failure the next run comes sooner', () => {
  expect(nextRun(schedule, undefined, now, () => 0)).toBe('2026-11-20T09:15:00.000Z');
  expect(nextRun(schedule, new Error('Refused'), now, () => 0)).toBe('2026-11-20T09:02:00.000Z');
});

test('after a pause that the system requested, the next runs of connections spread out', () => {
  const throttled = new SystemError('throttled', 'Slow down.', { retryAfter: 3_600 });
  expect(nextRun(schedule, throttled, now, () => 0)).toBe('2026-11-20T10:02:00.000Z');
  expect(nextRun(schedule, throttled, now, () => 1)).toBe('2026-11-20T10:02:12.000Z');
});
