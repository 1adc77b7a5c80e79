import { expect, it, onTestFinished, vi } from 'vitest';
import { slots } from './slots.ts';

const held = () => Promise.withResolvers<string>();

it('an owner has a share, in the order of its calls, and others are not affected', async () => {
  const inSlot = slots({ size: 1, longestMs: 60_000, busy: () => new Error('too late') });
  const first = held();
  const began: string[] = [];
  const run = (owner: string, name: string, result: Promise<string>) =>
    inSlot(owner, () => {
      began.push(name);
      return result;
    });
  const all = [
    run('a', 'first', first.promise),
    run('a', 'second', Promise.resolve('2')),
    run('a', 'third', Promise.resolve('3')),
    run('b', 'other', Promise.resolve('b')),
  ];
  await all[3];
  expect(began).toEqual(['first', 'other']);
  first.resolve('1');
  expect(await Promise.all(all)).toEqual(['1', '2', '3', 'b']);
  expect(began).toEqual(['first', 'other', 'second', 'third']);
});

it('a function that waits too long is not called, and one that fails leaves its place to the next', async () => {
  const inSlot = slots({ size: 1, longestMs: 1, busy: () => new Error('too late') });
  const first = held();
  let calls = 0;
  const call = async () => {
    calls += 1;
  };
  const failing = inSlot('a', () => first.promise);
  await expect(inSlot('a', call)).rejects.toThrow('too late');
  first.reject(new Error('failed'));
  await expect(failing).rejects.toThrow('failed');
  await inSlot('a', call);
  expect(calls).toBe(1);
});

it('each waiting function has its own time, though one timer serves all', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const inSlot = slots({ size: 1, longestMs: 1_000, busy: () => new Error('too late') });
  const first = held();
  const outcomes: string[] = [];
  const wait = (name: string) =>
    inSlot('a', async () => name).then(
      () => outcomes.push(`${name} ran`),
      () => outcomes.push(`${name} was refused`),
    );
  const holding = inSlot('a', () => first.promise);
  void wait('early');
  await vi.advanceTimersByTimeAsync(500);
  void wait('late');
  await vi.advanceTimersByTimeAsync(999);
  expect(outcomes).toEqual(['early was refused']);
  await vi.advanceTimersByTimeAsync(1);
  expect(outcomes).toEqual(['early was refused', 'late was refused']);
  const last = wait('last');
  first.resolve('first');
  await Promise.all([holding, last]);
  expect(outcomes.at(-1)).toBe('last ran');
});
