import { expect, test } from 'vitest';
import { type DueTurn, fairTurns } from './fair-turns.ts';
import { LAST_TURN } from './jobs.ts';

const added = (owner: string): DueTurn => ({ owner, waiting: null });
const waits = (owner: string, turn: number, isLong = false): DueTurn => ({ owner, waiting: { turn, isLong } });

test('each customer has one connection per turn, in the order in which they were due', () => {
  expect(fairTurns(['A', 'A', 'A', 'B', 'A', 'B'].map(added))).toEqual([0, 1, 2, 0, 3, 1]);
});

test('a customer without a waiting job joins the next turn, others follow their last job', () => {
  const due = [waits('A', 7), waits('A', 8), waits('A', 9), added('A'), added('B'), added('B')];
  expect(fairTurns(due)).toEqual([null, null, null, 10, 8, 9]);
});

test('jobs that wait for the place of a long run do not hold back others of their customer', () => {
  expect(fairTurns([waits('A', 3, true), added('A'), added('B')])).toEqual([null, 0, 0]);
  expect(fairTurns([waits('A', 3, true), waits('B', 5), added('A')])).toEqual([null, null, 6]);
});

test('a turn is never later than the last one that the queue stores', () => {
  expect(fairTurns([waits('A', LAST_TURN), added('A')])).toEqual([null, LAST_TURN]);
});
