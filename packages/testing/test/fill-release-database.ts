// Fills the database of a release for the test of upgrades: see releases/README.md.
import { entities } from '@unified/contract';
import { createEngine, startWorker } from '@unified/engine';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { createServer } from '@unified/server';
import { changesAfter, migrate, openStore, parseKey } from '@unified/store';
import { checkedFetch, connect, seed } from '@unified/testing';
import { pino } from 'pino';
import { RELEASE_KEY, type ReleaseFacts } from './release-facts.ts';

const databaseUrl = process.env.DATABASE_URL ?? '';
const log = pino({ level: 'warn' });
const publicUrl = 'http://localhost:4000';
const store = await openStore({ databaseUrl, publicUrl, entities, key: parseKey(RELEASE_KEY, 'the key of releases') });
await migrate(store);
const background = { store, databaseUrl, log, systems };
const engine = createEngine(background);
const server = await createServer({ store, engine, logger: log, publicUrl, port: 0 });
const system = await startFaultySystem();
const { scope, token } = await connect(store, { platform: 'faulty', settings: { url: system.url } });
const Authorization = `Bearer ${token}`;

async function send(method: 'POST' | 'PATCH', path: string, json: object, prefer = 'wait=30') {
  const headers = { Authorization, Prefer: prefer };
  return (await checkedFetch<{ data: { id: string } }>(`${server.url}/v4${path}`, { method, headers, json })).body;
}

await seed(scope);
const worker = await startWorker({ ...background, policies: fastRetries, syncs: 0 });
const { id } = (await send('POST', '/vendors', { name: 'Written vendor' })).data;
await send('PATCH', `/vendors/${id}`, { name: 'Changed vendor' });
system.faults.write.push('no');
await send('POST', '/vendors', { name: 'Refused vendor' });
await worker.stop();
await send('POST', '/vendors', { name: 'Queued vendor' }, 'respond-async');

const { body } = await checkedFetch<{ data: { operation: string; status: string }[] }>(`${server.url}/v4/writes`, {
  headers: { Authorization },
});
const facts: ReleaseFacts = {
  token,
  writes: body.data.map(({ operation, status }) => `${operation} ${status}`),
  changes: (await changesAfter(scope, null, 1_000)).changes.length,
};
await server.close();
await engine.close();
await system.close();
await store.close();
process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
