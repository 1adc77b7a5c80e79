import { expect, test } from 'vitest';
import { turns } from './turns.ts';

test('work starts when the previous work has ended, even if that failed', async () => {
  const inTurn = turns();
  const steps: string[] = [];
  const first = inTurn(async () => {
    steps.push('first begins');
    await Promise.resolve();
    steps.push('first fails');
    throw new Error('first');
  });
  const second = inTurn(async () => steps.push('second'));
  await expect(first).rejects.toThrow('first');
  expect(await second).toBe(3);
  expect(steps).toEqual(['first begins', 'first fails', 'second']);
});
