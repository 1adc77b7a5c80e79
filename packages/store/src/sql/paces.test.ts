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

test('a round trip of several statements may take longer', () => {
  const paces = new Paces();
  paces.note(['one', 'two'], 22);
  expect([paces.isQuick('one'), paces.isQuick('two')]).toEqual([true, true]);
});

test('after a round trip in which one of several statements may have been slow, each needs a quick run', () => {
  const paces = new Paces();
  const quick = ['1', '2', '3', '4', '5', '6', '7'];
  const allQuick = () => quick.every((key) => paces.isQuick(key));
  paces.note(['slow', ...quick], 8);
  expect([paces.isQuick('slow'), allQuick()]).toEqual([true, true]);
  paces.note(['slow', ...quick], 152);
  expect(['slow', ...quick].filter((key) => paces.isQuick(key))).toEqual([]);
  for (const key of quick) paces.note([key], 1);
  paces.note(['slow'], 145);
  expect([paces.isQuick('slow'), allQuick()]).toEqual([false, true]);
});

test('the oldest statements are forgotten', () => {
  const paces = new Paces();
  for (let n = 0; n <= 50_000; n++) paces.note([String(n)], 5);
  expect([paces.isQuick('0'), paces.isQuick('1'), paces.isQuick('50000')]).toEqual([false, true, true]);
});
