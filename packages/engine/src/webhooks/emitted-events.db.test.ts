import { emitInScope } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { type Site, startHarness } from '../../test/harness.ts';
import { register } from '../../test/webhook-changes.ts';
import { type Received, startWebhookReceiver } from '../../test/webhook-receiver.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;

const typesOf = (received: readonly Received[]) => received.map(({ event }) => event.type);

async function until(received: readonly Received[], types: readonly string[]): Promise<void> {
  await expect.poll(() => typesOf(received), { interval: 10, timeout: 60_000 }).toEqual(types);
}

test('a run that fails and the refusal of credentials are reported once, until a run is complete', async () => {
  const site = await harness.site();
  const { connectionId } = site;
  const [runs, access] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const connectionIds = [connectionId];
  await register(store, site.scope, { url: runs.url, events: ['sync.completed', 'sync.failed'], connectionIds });
  await register(store, site.scope, { url: access.url, events: ['connection.needs_reauth'], connectionIds });
  const fail = () => site.system.faults.read.push('locked', 'locked');
  fail();
  // The worker also reads the new connection without a request.
  await harness.worker({ syncs: 1, endpoints: 20 });
  await settled(site, runs.received, ['sync.failed', 'sync.completed']);
  await until(access.received, ['connection.needs_reauth']);
  expect(access.received[0]?.event.data).toMatchObject({ connectionId, platform: 'faulty', status: 'active' });
  expect(runs.received.at(-1)?.event.data).toMatchObject({ connectionId, mode: 'full' });
  fail();
  await settled(site, runs.received, ['sync.failed', 'sync.completed', 'sync.failed', 'sync.completed']);
  await until(access.received, ['connection.needs_reauth', 'connection.needs_reauth']);
  expect(typesOf(runs.received).filter((type) => type === 'sync.failed')).toHaveLength(2);
});

/** Synchronizes until the runs have reported these outcomes; those that are repeated are left out. */
async function settled(site: Site, received: readonly Received[], outcomes: readonly string[]): Promise<void> {
  const reported = () => typesOf(received).filter((type, n, all) => type !== all[n - 1]);
  const synced = async () => {
    await site.sync('full');
    return reported();
  };
  await expect.poll(synced, { interval: 10, timeout: 60_000 }).toEqual(outcomes);
}

test('an event of a transaction that is rolled back is not sent', async () => {
  const { scope } = await harness.site();
  const receiver = await startWebhookReceiver();
  const { connectionId } = scope;
  await register(store, scope, { url: receiver.url, events: ['mapping.activated'], connectionIds: [connectionId] });
  const emit = (revision: number) => ({
    ...({ type: 'mapping.activated', subject: 'mapping Vendor', entity: 'Vendor' } as const),
    data: { connectionId, entity: 'Vendor', revision },
  });
  const failed = scope.transaction(async (inner) => {
    await emitInScope(inner, emit(1));
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await scope.transaction((inner) => emitInScope(inner, emit(2)));
  await until(receiver.received, ['mapping.activated']);
  expect(receiver.received[0]?.event.data).toEqual({ connectionId, entity: 'Vendor', revision: 2 });
});
