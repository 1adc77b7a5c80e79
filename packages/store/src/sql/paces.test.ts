import { expect, test } from 'vitest';
import { Paces } from './paces.ts';

test('a statement is quick after its first quick run', () => {
  const paces = new Paces();
  expect(paces.isQuick('list')).toBe(false);
  paces.note(['list'], 5);
  expect([paces.isQuick('list'), paces.isQuick('other')]).toEqual([true, false]);
});

test('after a slow round trip, each of its statements needs ten quick runs', () => {
  const paces = new Paces();
  paces.note(['one', 'two'], 5);
  paces.note(['one', 'two'], 41);
  for (let run = 1; run <= 9; run++) paces.note(['one'], 5);
  expect(paces.isQuick('one')).toBe(false);
  paces.note(['one'], 5);
  expect([paces.isQuick('one'), paces.isQuick('two')]).toEqual([true, false]);
});

test('a round trip of several statements may take as many times as long', () => {
  const paces = new Paces();
  paces.note(['one', 'two'], 39);
  expect([paces.isQuick('one'), paces.isQuick('two')]).toEqual([true, true]);
});

test('the oldest statements are forgotten', () => {
  const paces = new Paces();
  for (let n = 0; n <= 10_000; n++) paces.note([String(n)], 5);
  expect([paces.isQuick('0'), paces.isQuick('1'), paces.isQuick('10000')]).toEqual([false, true, true]);
});
