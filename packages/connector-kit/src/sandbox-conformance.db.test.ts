import { platformOf } from '@unified/connectors';
import { addSandboxPlatform } from '@unified/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCompany } from '../../sandbox/test/company-database.ts';
import { everyCheck } from './every-check.ts';
import { runChecks } from './run-checks.ts';
import { SystemUnderTest } from './system-under-test.ts';

addSandboxPlatform();

let company: Awaited<ReturnType<typeof startCompany>>;

beforeAll(async () => {
  company = await startCompany();
});
afterAll(() => company.stop());

test('streams of the sandbox company fail checks only because of references to entities that are left out', async () => {
  const platform = platformOf('sandbox');
  // The others are read in the same way.
  const streams = platform.streams.slice(0, 10);
  const mappings = Object.values(platform.mappings).filter(({ stream }) => streams.some(({ name }) => name === stream));
  const part = { ...platform, streams, mappings: Object.fromEntries(mappings.map((each) => [each.entity, each])) };
  const system = new SystemUnderTest(part, { url: company.url, allowPrivateHosts: true }, { rows: 100 });
  try {
    const { results } = await runChecks(system);
    const failed = results.filter(({ outcome }) => outcome.result !== 'passed');
    expect(failed.map(({ check: { name } }) => name)).toEqual(['described-columns']);
    const findings = failed.flatMap(({ outcome }) => (outcome.result === 'failed' ? outcome.findings : []));
    expect(findings.length).toBeGreaterThan(0);
    const unmapped = expect.stringContaining('The platform has no mapping of');
    for (const finding of findings) expect(finding).toMatchObject({ problem: unmapped });
    expect(results).toHaveLength(everyCheck.length);
  } finally {
    await system.close();
  }
});
