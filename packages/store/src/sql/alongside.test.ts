import { expect, test } from 'vitest';
import { alongside } from './alongside.ts';

test('work is done before the statement ends, and both results are returned', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const made = await alongside(promise, () => {
    resolve('stored');
    return 'prepared';
  });
  expect(made).toEqual(['stored', 'prepared']);
});

test('a statement that fails before the work is done rejects', async () => {
  let isDone = false;
  const failing = alongside(Promise.reject(new Error('refused')), () => {
    isDone = true;
  });
  await expect(failing).rejects.toThrow('refused');
  expect(isDone).toBe(true);
});

test('if the work fails, the statement is awaited first', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasEnded = false;
  const failing = alongside(promise, () => {
    throw new Error('not rendered');
  }).finally(() => {
    hasEnded = true;
  });
  failing.catch(() => {});
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  resolve();
  await expect(failing).rejects.toThrow('not rendered');
});
