import { beforeEach, expect, it } from 'vitest';
import { type CountedWindows, createCountedWindows } from './counted-windows.ts';

const KEY = 'data application a';

let now = 0;
let windows: CountedWindows;

beforeEach(() => {
  now = 0;
  windows = createCountedWindows(() => now);
});

it('a window begins with its first request, and the next one after 60 seconds', () => {
  expect(windows.count(KEY)).toEqual({ used: 1, reset: 60 });
  now = 59_999;
  expect(windows.count(KEY)).toEqual({ used: 2, reset: 1 });
  now = 60_000;
  expect(windows.count(KEY)).toEqual({ used: 1, reset: 60 });
});

it('requests are taken once, and again if they are given back', () => {
  windows.count(KEY);
  windows.count(KEY);
  const taken = windows.takeNew();
  expect(taken).toEqual([{ key: KEY, requests: 2 }]);
  expect([windows.hasNew(), windows.takeNew()]).toEqual([false, []]);
  windows.giveBack(taken);
  windows.count(KEY);
  expect(windows.takeNew()).toEqual([{ key: KEY, requests: 3 }]);
});

it('the requests of all processes count, and their window applies', () => {
  windows.count(KEY);
  windows.takeNew();
  // Counted while the others are asked.
  windows.count(KEY);
  windows.learn([{ key: KEY, requests: 10, ms: 5_000 }]);
  expect(windows.count(KEY)).toEqual({ used: 12, reset: 5 });
  expect(windows.takeNew()).toEqual([{ key: KEY, requests: 2 }]);
  now = 5_000;
  expect(windows.count(KEY)).toEqual({ used: 1, reset: 60 });
});

it('requests of a window that has ended are not sent', () => {
  windows.count(KEY);
  now = 60_000;
  expect([windows.hasNew(), windows.takeNew()]).toEqual([true, []]);
});
