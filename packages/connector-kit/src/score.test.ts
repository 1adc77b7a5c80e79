import { expect, test } from 'vitest';
import type { Outcome } from './conformance-check.ts';
import { everyCheck } from './every-check.ts';
import { SCORE_WEIGHTS, scoreOf } from './score.ts';

const findings = [{ place: 'supplier', problem: 'There is none.', remedy: 'Create one.' }];

/** The score if the checks that `outcomes` names end like this, and all others pass. */
function scored(outcomes: Readonly<Record<string, Outcome>>) {
  const results = everyCheck.map((check) => ({
    check,
    outcome: outcomes[check.name] ?? { result: 'passed' as const, seen: '' },
  }));
  return scoreOf({ platform: 'erp', results, records: { Vendor: 2, Item: 1 } });
}

test('every check has points, 100 in total', () => {
  expect(Object.keys(SCORE_WEIGHTS).sort()).toEqual(everyCheck.map(({ name }) => name).sort());
  expect(Object.values(SCORE_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
});

test('a check that fails costs its points, one that does not apply is left out', () => {
  expect(scored({})).toMatchObject({ platform: 'erp', score: 100, entities: ['Item', 'Vendor'] });
  expect(scored({ 'unique-keys': { result: 'failed', findings } }).score).toBe(90);
  const apart = { result: 'not_applicable', reason: 'There is no cursor.' } as const;
  expect(scored({ 'complete-changes': apart, 'quiet-changes': apart }).score).toBe(100);
  expect(scored({ 'complete-changes': apart, 'unique-keys': { result: 'failed', findings } }).score).toBe(88);
});

test('a check without points is an error', () => {
  const check = { name: 'new', asserts: '', consequence: '' };
  const results = [{ check, outcome: { result: 'passed' as const, seen: '' } }];
  expect(() => scoreOf({ platform: 'erp', results, records: {} })).toThrow('The check new has no weight.');
});
