import { fileURLToPath } from 'node:url';
import { type Driver, loadPlatform, openDriver, type Platform, platformOf, SystemError } from '@unified/connectors';
import { addSandboxPlatform } from '@unified/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCompany } from '../../../sandbox/test/company-database.ts';
import { bookPlatform } from '../../test/book-file.ts';
import { type SupplierApi, startSupplierApi } from '../../test/supplier-api.ts';
import { runChecks } from '../run-checks.ts';
import { type CheckOptions, type Settings, SystemUnderTest } from '../system-under-test.ts';
import { survivedFaults } from './survived-faults.ts';

addSandboxPlatform();

const restPlatform = loadPlatform(fileURLToPath(new URL('../../templates/rest', import.meta.url)));

/** The outcome of passes through faults. */
async function outcomeOf(
  platform: Platform,
  settings: Settings,
  { rows = 200, passes = 1, open }: CheckOptions & { readonly passes?: number } = {},
) {
  const system = new SystemUnderTest(platform, settings, { rows, ...(open && { open }) });
  try {
    const { results } = await runChecks(system, { checks: [survivedFaults({ passes, seed: 1 })] });
    return results[1]?.outcome;
  } finally {
    await system.close();
  }
}

describe('over HTTP', () => {
  let api: SupplierApi;
  beforeAll(async () => {
    api = await startSupplierApi();
  });
  afterAll(() => api.close());

  test('passes through faults find the same rows', async () => {
    expect(await outcomeOf(restPlatform, api.settings, { passes: 3 })).toEqual({
      ...{ result: 'passed', seen: '3 passes over 1 streams' },
      notes: [expect.stringMatching(/^Seed 1: \d+ /)],
    });
  });

  test('the platform of the template passes every check', async () => {
    const system = new SystemUnderTest(restPlatform, api.settings);
    const { results } = await runChecks(system).finally(() => system.close());
    expect(results.filter(({ outcome }) => outcome.result === 'failed')).toEqual([]);
    expect(results.find(({ check }) => check.name === 'refused-credentials')?.outcome.result).toBe('passed');
  });

  test.each([
    ['throttled', /^The system itself still accepts no more calls after a wait: Slow down\. Seed 1\.$/],
    ['unavailable', /^A page failed in each of 30 attempts, at last as "unavailable": Slow down\. Seed 1\.$/],
    ['rejected', /^A connection fault is reported as "rejected", which is not retried: Slow down\. Seed 1\.$/],
  ] as const)('a system that fails on its own as %s is reported as such', async (kind, problem) => {
    const open = (platform: Platform, settings: Settings): Driver => {
      const driver = openDriver(platform, settings);
      const isProxied = settings.url !== api.settings.url;
      const retryAfter = kind === 'throttled' ? { retryAfter: 301 } : {};
      const pull = () => Promise.reject(new SystemError(kind, 'Slow down', retryAfter));
      return isProxied ? { ...driver, pull } : driver;
    };
    const outcome = await outcomeOf(restPlatform, api.settings, { open });
    expect(outcome).toMatchObject({
      result: 'failed',
      findings: [{ place: 'suppliers', problem: expect.stringMatching(problem) }],
    });
  });

  test('a status that the platform reports as a refusal is found', async () => {
    const failures = { '500': { kind: 'rejected' }, '503': { kind: 'rejected' }, '429': { kind: 'rejected' } };
    const wrong = { ...restPlatform, options: { ...restPlatform.options, failures } } as Platform;
    const outcome = await outcomeOf(wrong, api.settings, { passes: 5 });
    expect(outcome).toMatchObject({
      result: 'failed',
      findings: expect.arrayContaining([
        expect.objectContaining({
          place: 'suppliers',
          problem: expect.stringMatching(/reported as "rejected".* Seed \d/s),
        }),
      ]),
    });
  });
});

describe('over PostgreSQL', () => {
  let company: Awaited<ReturnType<typeof startCompany>>;
  beforeAll(async () => {
    company = await startCompany();
  });
  afterAll(() => company.stop());

  test('passes through faults find the same rows', async () => {
    const platform = platformOf('sandbox');
    const part = { ...platform, streams: platform.streams.slice(0, 8) };
    expect(await outcomeOf(part, { url: company.url, allowPrivateHosts: true }, { passes: 2 })).toEqual({
      ...{ result: 'passed', seen: '2 passes over 8 streams' },
      notes: [expect.stringMatching(/^Seed 1: \d+ /)],
    });
  });
});

test('a file has no connection that could fail', async () => {
  const outcome = await outcomeOf(bookPlatform(), { url: 'sqlite:///none.sqlite' });
  expect(outcome).toMatchObject({ result: 'not_applicable' });
});
