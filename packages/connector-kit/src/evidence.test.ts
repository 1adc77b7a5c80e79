import { fileURLToPath } from 'node:url';
import { type Driver, loadPlatform, openDriver, SystemError } from '@unified/connectors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SupplierApi, startSupplierApi } from '../test/supplier-api.ts';
import { runChecks } from './run-checks.ts';
import { scoreOf } from './score.ts';
import { SystemUnderTest } from './system-under-test.ts';

const platform = loadPlatform(fileURLToPath(new URL('../templates/rest', import.meta.url)));
let api: SupplierApi;

beforeEach(async () => {
  api = await startSupplierApi();
});
afterEach(() => api.close());

async function reportOf(changed: (driver: Driver) => Partial<Driver>, wait = async (_seconds: number) => {}) {
  const open: typeof openDriver = (...of) => {
    const driver = openDriver(...of);
    return { ...driver, ...changed(driver) };
  };
  const system = new SystemUnderTest(platform, api.settings, { open, wait });
  const report = await runChecks(system).finally(() => system.close());
  const outcomes = Object.fromEntries(report.results.map(({ check, outcome }) => [check.name, outcome]));
  return { report, outcomes };
}

test('checks that compare rows are skipped without rows, and have no points', async () => {
  const { report, outcomes } = await reportOf((driver) => ({
    pull: async (request) => ({ ...(await driver.pull(request)), rows: [], next: null }),
  }));
  const skipped = { result: 'not_applicable', reason: 'Skipped: no rows.' };
  const compared = ['unique-keys', 'page-sizes', 'single-rows', 'missing-rows', 'convertible-values', 'filled-fields'];
  for (const name of compared) expect(outcomes[name]).toEqual(skipped);
  const passed = scoreOf(report).parts.filter(({ result }) => result === 'passed');
  expect(passed.map(({ check }) => check)).not.toEqual(expect.arrayContaining(compared));
});

test('a rejected sign-in is passed only if a stream can be read', async () => {
  const rejected = () => Promise.reject(new SystemError('rejected', 'Unsupported grant'));
  expect((await reportOf(() => ({ check: rejected }))).outcomes['sign-in']).toMatchObject({ result: 'passed' });
  const { outcomes } = await reportOf(() => ({ check: rejected, pull: rejected }));
  expect(outcomes['sign-in']).toMatchObject({
    result: 'failed',
    findings: [{ problem: expect.stringContaining('Unsupported grant') }],
  });
});

test('a system that accepts no more calls is called again after the time that it requests', async () => {
  const waits: number[] = [];
  let calls = 0;
  const { outcomes } = await reportOf(
    (driver) => ({
      pull: (request) => {
        calls += 1;
        if (calls % 2 === 1) throw new SystemError('throttled', 'Slow down', { retryAfter: 7 });
        return driver.pull(request);
      },
    }),
    async (seconds) => void waits.push(seconds),
  );
  expect(outcomes['readable-streams']).toMatchObject({ result: 'passed' });
  expect(new Set(waits)).toEqual(new Set([7]));
});

test('a system that is unavailable is called again after the time that it requests, at most three times', async () => {
  const waits: number[] = [];
  let failures = 3;
  const unavailable = (driver: Driver) => ({
    check: () => {
      failures -= 1;
      if (failures >= 0) throw new SystemError('unavailable', 'Maintenance', { retryAfter: 7 });
      return driver.check();
    },
  });
  const wait = async (seconds: number) => void waits.push(seconds);
  expect((await reportOf(unavailable, wait)).outcomes['sign-in']).toMatchObject({ result: 'passed' });
  expect(waits).toEqual([7, 7, 7]);
  failures = 4;
  expect((await reportOf(unavailable, wait)).outcomes['sign-in']).toMatchObject({ result: 'failed' });
});

test('a system that requests more than five minutes is not waited for', async () => {
  const waits: number[] = [];
  const throttled = () => Promise.reject(new SystemError('throttled', 'Slow down', { retryAfter: 301 }));
  const { outcomes } = await reportOf(
    () => ({ check: throttled }),
    async (seconds) => void waits.push(seconds),
  );
  expect(outcomes['sign-in']).toMatchObject({ result: 'failed' });
  expect(waits).toEqual([]);
});
