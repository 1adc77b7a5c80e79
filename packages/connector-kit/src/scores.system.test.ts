import { expect, test, vi } from 'vitest';
import { measure } from '../test/measure.ts';
import { measuredSystems } from '../test/measured-systems.ts';
import { committedScore, scoredSystems } from './committed-scores.ts';
import { scoreOf } from './score.ts';

// Reads every stream of a system several times.
vi.setConfig({ testTimeout: 600_000 });

test('every measured system has a score, and no other system has one', () => {
  expect(scoredSystems()).toEqual(measuredSystems.map(({ name }) => name).sort());
});

test.each(measuredSystems)('the score of $name matches a new measurement', async (measured) => {
  const { measuredOn: _, system, ...score } = committedScore(measured.name);
  const report = await measure(measured);
  const findings = report.results.flatMap(({ outcome }) => (outcome.result === 'failed' ? outcome.findings : []));
  const help = `Run: node packages/connector-kit/test/measure.ts ${measured.name}\n${JSON.stringify(findings, null, 2)}`;
  expect(scoreOf(report), help).toEqual(score);
  expect(system).toBe(measured.system);
});
