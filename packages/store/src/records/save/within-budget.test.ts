import { expect, test } from 'vitest';
import type { ByteBudget } from '../../sql/statement.ts';
import { withinBudget } from './within-budget.ts';

/** Reads rows of these sizes in bytes like a session does: the first one, and those within the budget. */
async function read(part: readonly number[], budget: ByteBudget): Promise<number[]> {
  const kept: number[] = [];
  for (const bytes of part) {
    budget.left -= bytes;
    if (kept.length > 0 && budget.left < 0) budget.isExceeded = true;
    else kept.push(bytes);
  }
  return kept;
}

async function partsOf(sizes: readonly number[]): Promise<(readonly number[])[]> {
  const parts: (readonly number[])[] = [];
  for await (const { part, found } of withinBudget(sizes, 100, read)) {
    expect(found).toEqual(part);
    parts.push(part);
  }
  return parts;
}

test('documents within the budget are read together', async () => {
  expect(await partsOf([30, 30, 40])).toEqual([[30, 30, 40]]);
});

test('more are read in parts, in their order, and a larger one alone', async () => {
  expect(await partsOf([60, 60, 10, 20, 500, 5])).toEqual([[60], [60], [10], [20], [500], [5]]);
});

test('nothing is read in one empty part', async () => {
  expect(await partsOf([])).toEqual([[]]);
});
