import { startHarness } from '@unified/engine/testing/harness';
import { register, saveVendor } from '@unified/engine/testing/webhook-changes';
import { type Received, startWebhookReceiver } from '@unified/engine/testing/webhook-receiver';
import { emitInScope } from '@unified/store';
import { checkEvent } from '@unified/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;

const KINDS = [
  ...(['record.created', 'record.updated', 'write.succeeded', 'write.failed', 'write.unknown'] as const),
  ...(['sync.completed', 'sync.failed', 'connection.needs_reauth', 'mapping.activated'] as const),
];
const SIX_MINUTES = 6 * 60_000;

/** Verifies a request as a receiver with `standardwebhooks` does. Throws if it refuses the request. */
function verify({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): void {
  new Webhook(secret).verify(body, headers as Record<string, string>);
}

test.each(['thin', 'full'] as const)(
  'each delivered %s event is as described, and an independent verifier accepts it, but no forged or late one',
  async (payload) => {
    const site = await harness.site();
    const { scope, connectionId } = site;
    const receiver = await startWebhookReceiver();
    const endpoint = { url: receiver.url, events: KINDS, connectionIds: [connectionId], payload };
    const { secret } = await register(store, scope, endpoint);
    site.system.faults.read.push('locked');
    const worker = await harness.worker({ syncs: 1, endpoints: 5 });
    const kinds = () => new Set(receiver.received.map(({ event }) => event.type));
    await site.sync('full');
    for (const fault of ['ok', 'no', 'lost'] as const) {
      if (fault !== 'ok') site.system.faults.write.push(fault);
      await site.settled(await site.createVendor(`Vendor ${fault}`));
    }
    for (const name of ['A', 'B']) await saveVendor(scope, 'changed', name);
    await scope.transaction((inner) =>
      emitInScope(inner, {
        ...({ type: 'mapping.activated', subject: 'mapping Vendor', entity: 'Vendor' } as const),
        data: { connectionId, entity: 'Vendor', revision: 1 },
      }),
    );
    const synced = async () => {
      await site.sync('full');
      return kinds();
    };
    await expect.poll(synced, { interval: 50, timeout: 60_000 }).toEqual(new Set(KINDS));
    await worker.stop();

    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    for (const received of receiver.received) {
      const { headers, body } = received;
      expect(() => checkEvent(body)).not.toThrow();
      expect(() => verify(received, secret)).not.toThrow();
      expect(() => verify(received, other)).toThrow('No matching signature');
      expect(() => verify({ headers, body: JSON.stringify(JSON.parse(body), null, 1) }, secret)).toThrow('No matching');
      const renamed = { ...headers, 'webhook-id': '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b' };
      expect(() => verify({ headers: renamed, body }, secret)).toThrow('No matching');
    }
    vi.useFakeTimers({ now: Date.now() + SIX_MINUTES, toFake: ['Date'] });
    for (const received of receiver.received) expect(() => verify(received, secret)).toThrow('too old');
    vi.useRealTimers();
  },
);
