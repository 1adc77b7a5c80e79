import { expect, test } from 'vitest';
import type { Outcome } from './conformance-check.ts';
import { everyCheck } from './every-check.ts';
import { scoreOf } from './score.ts';

const findings = [{ place: 'supplier', problem: 'There is none.', remedy: 'Create one.' }];

/** The score if checks have these outcomes, and all others pass. */
function scored(outcomes: Readonly<Record<string, Outcome>>) {
  const results = everyCheck.map((check) => ({
    check,
    outcome: outcomes[check.name] ?? { result: 'passed' as const, seen: '' },
  }));
  return scoreOf({ platform: 'erp', results, records: { Vendor: 2, Item: 1 } });
}

test('the checks have 100 points in total', () => {
  expect(everyCheck.reduce((sum, { points }) => sum + points, 0)).toBe(100);
});

test('a check that fails costs its points, one that does not apply is left out', () => {
  expect(scored({})).toMatchObject({ platform: 'erp', score: 100, entities: ['Item', 'Vendor'] });
  expect(scored({ 'unique-keys': { result: 'failed', findings } }).score).toBe(90);
  const apart = { result: 'not_applicable', reason: 'There is no cursor.' } as const;
  expect(scored({ 'complete-changes': apart, 'quiet-changes': apart }).score).toBe(100);
  expect(scored({ 'complete-changes': apart, 'unique-keys': { result: 'failed', findings } }).score).toBe(88);
});
