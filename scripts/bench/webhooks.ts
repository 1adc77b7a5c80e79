import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type Scope,
  type Store,
  saveRecords,
  updateWebhookEndpoint,
} from '@unified/store';
import { median, type Part } from './budget.ts';
import { engineFixture } from './engine-fixture.ts';
import { generatedSystem } from './generated-system.ts';

/** Number of changes that are waiting when an endpoint is activated. */
const BACKLOG = 3_000;
/** Number of changes that are logged together, and how often. */
const TOGETHER = 25;
const EVERY_MS = 50;

/** Events per second that one worker sends to a local receiver, and milliseconds from the commit of a change to its arrival. */
export const webhooks: Part = {
  name: 'webhooks',
  about: 'events per second to a local receiver, from commit to delivery, with a dead endpoint',
  async measure(bench) {
    process.env.ALLOW_PRIVATE_HOSTS = '127.0.0.1';
    const fixture = await engineFixture(await bench.databaseNamed('bench_webhooks'), generatedSystem(10));
    const [receiver, dead] = [await startReceiver(true), await startReceiver(false)];
    try {
      const { store, scope } = fixture;
      const endpoint = await register(store, scope, receiver.url);
      const alone = await backlogRate(store, scope, endpoint, receiver);
      const taken = await latencies(scope, receiver, bench.seconds * 2);
      const other = await register(store, scope, dead.url);
      const beside = await backlogRate(store, scope, endpoint, receiver);
      await deleteWebhookEndpoint(store.application(scope.applicationId), other);
      const p50 = median(taken);
      bench.say(`${alone.toFixed(0)} events per second; ${p50.toFixed(1)} ms from commit to arrival at the median`);
      bench.say(`${beside.toFixed(0)} events per second while another endpoint does not respond`);
      const figures = { 'events per second': alone, 'p50 ms': p50, 'beside a dead endpoint': beside };
      return [
        { name: 'webhook deliveries', value: alone, unit: '/s', budget: { atLeast: 500 }, figures },
        {
          name: 'webhook commit to delivery at 500/s, median',
          value: p50,
          unit: 'ms',
          budget: { atMost: 150 },
          figures,
        },
        {
          name: 'webhooks beside a dead endpoint',
          value: beside / alone,
          unit: '×',
          budget: { atLeast: 0.8 },
          figures,
        },
      ];
    } finally {
      await Promise.all([receiver.close(), dead.close()]);
      await fixture.stop();
    }
  },
};

interface Receiver {
  readonly url: string;
  /** When each change arrived first, by the id of its record. */
  readonly arrivals: Map<string, number>;
  close(): Promise<void>;
}

/** A server that accepts events, or one that never responds. */
async function startReceiver(responds: boolean): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (!responds) return;
    const { id } = JSON.parse(body).data.change as { id: string };
    if (!arrivals.has(id)) arrivals.set(id, performance.now());
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function register(store: Store, { applicationId }: Scope, url: string): Promise<string> {
  const given = { url, events: ['record.created'], entities: [], connectionIds: [], payload: 'thin' } as const;
  const { endpoint } = await createWebhookEndpoint(store.application(applicationId), given);
  return endpoint.id;
}

let records = 0;

/** Creates this many records, each of which is a change, and returns their ids. */
async function change(scope: Scope, count: number): Promise<string[]> {
  const { Vendor } = entities;
  const drafts = Array.from({ length: count }, () => {
    records += 1;
    return { _source: 'bench', _idValue: String(records), values: { name: `Vendor ${records}` }, references: {} };
  });
  return [...(await saveRecords(scope, Vendor, drafts)).ids];
}

async function until(isDone: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!isDone()) {
    if (performance.now() > end) throw new Error('The events did not arrive within 2 minutes.');
    await pause(1);
  }
}

/** Events per second after activation of an endpoint for which many changes are waiting. */
async function backlogRate(store: Store, scope: Scope, endpoint: string, { arrivals }: Receiver): Promise<number> {
  const application = store.application(scope.applicationId);
  await updateWebhookEndpoint(application, endpoint, { isActive: false });
  const ids = (await Promise.all(Array.from({ length: BACKLOG / 100 }, () => change(scope, 100)))).flat();
  await updateWebhookEndpoint(application, endpoint, { isActive: true });
  await until(() => ids.some((id) => arrivals.has(id)));
  const began = performance.now();
  await until(() => ids.every((id) => arrivals.has(id)));
  return (BACKLOG / (performance.now() - began)) * 1_000;
}

/** Milliseconds from the commit of each change to its arrival, at 500 changes per second. */
async function latencies(scope: Scope, { arrivals }: Receiver, seconds: number): Promise<number[]> {
  const committed: { readonly id: string; readonly at: number }[] = [];
  const started = performance.now();
  for (let round = 0; round < (seconds * 1_000) / EVERY_MS; round += 1) {
    const ids = await change(scope, TOGETHER);
    const at = performance.now();
    committed.push(...ids.map((id) => ({ id, at })));
    await pause(Math.max(0, started + (round + 1) * EVERY_MS - performance.now()));
  }
  await until(() => committed.every(({ id }) => arrivals.has(id)));
  return committed.map(({ id, at }) => Math.max(0, (arrivals.get(id) ?? at) - at));
}
