import { connectionById } from '@unified/store';
import { expect, test } from 'vitest';
import { faultySystems } from '../../test/faulty-platform.ts';
import type { Fault } from '../../test/faulty-system.ts';
import { type Site, startHarness } from '../../test/harness.ts';
import { memoryQuotas } from '../drivers/quotas.ts';
import { allSystems, type Systems } from '../model/systems.ts';
import { shownConnections } from './shown-connections.ts';

const harness = await startHarness();
const { store } = harness;
const quotas = memoryQuotas();
await harness.worker({ syncs: 1 });

async function healthOf({ connectionId }: Site, systems: Systems = faultySystems) {
  const connection = await connectionById(store, connectionId);
  const [shown] = await shownConnections({ store, systems, quotas }, connection ? [connection] : []);
  return shown?.health;
}

/** More failures than a run or a write has retries. */
const always = (fault: Fault) => new Array<Fault>(50).fill(fault);

const fine = { status: 'ok', code: null, message: null, since: null, pausedUntil: null };

test.each([
  ['locked', 'needs_reauth', 'SERVICE_SYSTEM_UNAUTHORIZED', 'Who are you?'],
  ['away', 'unreachable', 'SERVICE_SYSTEM_UNAVAILABLE', 'Down for maintenance'],
  ['forbidden', 'failing', 'SERVICE_SYSTEM_FORBIDDEN', 'Ask your administrator'],
] as const)('a system that cannot be read (%s) is %s until it can be read', async (fault, status, code, words) => {
  const site = await harness.site();
  expect(await healthOf(site)).toEqual({ ...fine, lastSyncAt: null });
  site.system.faults.read = always(fault);
  await site.sync('full');
  const first = await healthOf(site);
  expect(first).toMatchObject({ status, code, message: expect.stringContaining(words), lastSyncAt: null });
  await site.sync('full');
  expect((await healthOf(site))?.since).toBe(first?.since);
  site.system.faults.read = [];
  await site.sync('full');
  expect(await healthOf(site)).toEqual({ ...fine, lastSyncAt: expect.any(String) });
});

test('the time of a failure begins again when the reason changes', async () => {
  const site = await harness.site();
  site.system.faults.read = always('away');
  await site.sync('full');
  const away = await healthOf(site);
  site.system.faults.read = always('locked');
  await site.sync('full');
  const locked = await healthOf(site);
  expect(locked?.status).toBe('needs_reauth');
  expect(Date.parse(locked?.since ?? '')).toBeGreaterThan(Date.parse(away?.since ?? ''));
});

test.each([
  ['locked', 'needs_reauth'],
  ['away', 'unreachable'],
] as const)('a write that the system did not receive (%s) counts until one succeeds', async (fault, status) => {
  const site = await harness.site();
  await site.sync('full');
  site.system.faults.write = always(fault);
  await site.write({ input: { name: 'V' } });
  expect(await healthOf(site)).toMatchObject({ status });
  site.system.faults.write = [];
  await site.write({ input: { name: 'V' } });
  expect(await healthOf(site)).toMatchObject(fine);
});

test('a write that the system did not receive counts until a run succeeds', async () => {
  const site = await harness.site();
  site.system.faults.write = always('away');
  await site.write({ input: { name: 'V' } });
  expect(await healthOf(site)).toMatchObject({ status: 'unreachable' });
  await site.sync('full');
  expect(await healthOf(site)).toMatchObject(fine);
});

test('a write that the system refuses does not affect the health', async () => {
  const site = await harness.site();
  site.system.faults.write = ['no'];
  expect(await site.write({ input: { name: 'V' } })).toMatchObject({ status: 'failed' });
  expect(await healthOf(site)).toMatchObject(fine);
});

test('a connection to a platform that cannot be used fails', async () => {
  // The built-in platforms do not include the platform of this test.
  const health = await healthOf(await harness.site(), allSystems);
  const message = expect.stringContaining('There is no platform "faulty"');
  expect(health).toMatchObject({ status: 'failing', code: 'SERVICE_PLATFORM_BROKEN', message });
});
