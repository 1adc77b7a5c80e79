import { randomUUID } from 'node:crypto';
import { openDriver } from '@unified/connectors';
import { createApplication } from '@unified/store';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { httpServer } from '../../../connectors/test/http-server.ts';
import { platformOfTexts } from '../../../connectors/test/platform-of-texts.ts';
import { asked, reply } from '../../../connectors/test/rest-system.ts';
import { log, origin, startHarness } from '../../test/harness.ts';
import { syncEnd } from '../../test/sync-end.ts';
import { memoryQuotas } from '../drivers/quotas.ts';
import { createEngine, type Systems, updateConnection } from '../index.ts';

const PLATFORM = `
id: limited
name: Limited System
driver: rest
settings:
  type: object
  required: [url]
  properties: { url: { type: string, format: uri }, user: { type: string }, password: { type: string, writeOnly: true } }
identifiedBy: [url]
options: { authentication: { basic: true }, check: /me }
streams:
  vendors:
    options:
      list: { address: /vendors, rows: items }
      detail: { address: '/vendors/{id}' }
      writes: { create: { address: /vendors, key: id }, created: { request: ref } }
`;
const MAPPING = 'entity: Vendor\nstream: vendors\nfields: { name: name }\nwrites: [create]\n';
const DAY = 86_400;

vi.stubEnv('ALLOW_PRIVATE_HOSTS', '127.0.0.1');
const harness = await startHarness();
const { store, databaseUrl } = harness;
const platform = platformOfTexts(PLATFORM, { vendor: MAPPING });
const systems: Systems = { platformOf: () => platform, openDriver };
const quotas = memoryQuotas();
const engine = createEngine({ store, databaseUrl, log, systems, quotas });
afterAll(() => engine.close());
await harness.worker({ systems, quotas, syncs: 1 });

/** A system that refuses all calls for a day while it is closed. */
async function limitedSystem() {
  const system = { isClosed: false, calls: [] as string[] };
  const vendors = [{ id: 1, name: 'Bolts' }];
  const url = await httpServer((request, response) => {
    const { pathname } = asked(request);
    system.calls.push(`${request.method} ${pathname}`);
    if (system.isClosed) return response.writeHead(429, { 'retry-after': String(DAY) }).end();
    if (request.method === 'POST') vendors.unshift({ id: 2, name: 'Nuts' });
    const id = Number(pathname.split('/')[2]);
    return reply(response, id ? vendors.find((each) => each.id === id) : { ...vendors[0], items: vendors });
  });
  return Object.assign(system, { url: url.href });
}

/** A connection of a new application that has been read, and whose system is then closed. */
async function closedConnection(given?: Awaited<ReturnType<typeof limitedSystem>>) {
  const system = given ?? (await limitedSystem());
  system.isClosed = false;
  const { id: applicationId } = await createApplication(store, `Paused ${randomUUID()}`);
  const connections = engine.connectionsOf(store.application(applicationId), origin);
  const settings = { url: system.url, user: 'ann', password: 'a' };
  const { id } = await connections.create({ platform: platform.id, settings });
  const synced = () => syncEnd(databaseUrl, id, 60_000);
  await synced();
  expect((await connections.get(id)).health).toMatchObject({ status: 'ok', pausedUntil: null });
  system.isClosed = true;
  system.calls = [];
  const scope = store.scope({ applicationId, connectionId: id });
  const health = async () => (await connections.get(id)).health;
  return { system, connections, settings, id, scope, synced, health };
}

/** A connection whose system requested a pause of a day from a run. */
async function pausedConnection() {
  const connection = await closedConnection();
  await engine.requestSync(connection.id, 'full');
  await connection.synced();
  return connection;
}

/** Queues a write, and waits until it is delayed by the pause. */
async function delayedWrite({ scope }: Pick<Awaited<ReturnType<typeof closedConnection>>, 'scope'>): Promise<string> {
  const request = { operation: 'createVendor', entity: 'Vendor', op: 'create', input: { name: 'Nuts' } } as const;
  const { writeId } = await engine.submitWrite(scope, request);
  await vi.waitFor(async () => {
    const { nextAttemptAt } = await engine.writeById(scope, writeId);
    expect(hoursUntil(nextAttemptAt)).toBeCloseTo(24, 0);
  });
  return writeId;
}

/** The steps in which the end user of a connection authorizes it again with this password. */
function renewal({ scope, id, settings }: Awaited<ReturnType<typeof closedConnection>>, password: string, by = engine) {
  const connections = by.authorizedConnectionsOf(store.application(scope.applicationId));
  const system = { platform: platform.id, settings: { ...settings, password }, connectionId: id };
  const sentBy = { clientId: 'app', requestId: null, address: null };
  const watch = { onStep: () => undefined, signal: new AbortController().signal };
  return {
    check: async () => expect(await connections.check(system, watch)).toMatchObject({ phase: 'accepted' }),
    store: async () => expect(await connections.connectFor({ endCustomerId: randomUUID() }, system, sentBy)).toBe(id),
  };
}

const hoursUntil = (at: string | null | undefined) => (Date.parse(at ?? '') - Date.now()) / 3_600_000;

test('a long pause ends the run, and is visible in the health and in the status of the streams', async () => {
  const { system, scope, health } = await pausedConnection();
  expect(system.calls).toEqual(['GET /me']);
  const { pausedUntil, ...shown } = await health();
  expect(shown).toMatchObject({ status: 'failing', code: 'SERVICE_SYSTEM_RATE_LIMITED' });
  expect(hoursUntil(pausedUntil)).toBeCloseTo(24, 0);
  const [stream] = await engine.syncStatus(scope);
  expect(stream).toMatchObject({ runningSince: null, error: expect.stringContaining('429') });
  expect(hoursUntil(stream?.nextRunAt)).toBeCloseTo(24, 0);
});

test('a pause lasts while the system refuses the check of an update, which is the only call', async () => {
  const { system, connections, id, health } = await pausedConnection();
  system.calls = [];
  for (const password of ['b', 'c']) {
    const updating = connections.update(id, { settings: { password } });
    await expect(updating).rejects.toMatchObject({ code: 'SERVICE_SYSTEM_RATE_LIMITED' });
  }
  expect(system.calls).toEqual(['GET /me', 'GET /me']);
  expect(hoursUntil((await health()).pausedUntil)).toBeCloseTo(24, 0);
});

test.each([
  ['new', { password: 'b' }],
  ['the same', { password: 'a' }],
])('an update with %s settings that the system accepts ends the pause, for writes as well', async (_, settings) => {
  const { system, connections, id, scope, synced, health } = await closedConnection();
  const writeId = await delayedWrite({ scope });
  expect(await health()).toMatchObject({ status: 'ok', pausedUntil: expect.any(String) });
  await engine.requestSync(id, 'full');
  await synced();
  expect(system.calls).toEqual(['GET /vendors']);
  system.isClosed = false;
  await connections.update(id, { settings });
  expect(await engine.waitForWrite(scope, writeId, 30_000)).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
  await synced();
  expect(await health()).toMatchObject({ status: 'ok', pausedUntil: null });
});

test('a pause lasts after an update with settings that the system has not accepted', async () => {
  const { system, scope, settings, synced, health } = await pausedConnection();
  system.calls = [];
  const parts = { store, engine, systems, origin };
  await updateConnection(parts, scope, { settings: { ...settings, password: 'b' } });
  await synced();
  expect(system.calls).toEqual([]);
  expect(hoursUntil((await health()).pausedUntil)).toBeCloseTo(24, 0);
});

test('a pause ends for all connections with the account, also of other applications', async () => {
  const one = await closedConnection();
  const other = await closedConnection(one.system);
  const writeId = await delayedWrite(other);
  await engine.requestSync(other.id, 'full');
  await other.synced();
  one.system.isClosed = false;
  await one.connections.update(one.id, { settings: one.settings });
  expect(await engine.waitForWrite(other.scope, writeId, 30_000)).toMatchObject({ status: 'succeeded' });
  const [stream] = await engine.syncStatus(other.scope);
  expect(hoursUntil(stream?.nextRunAt)).toBeLessThan(1);
});

test('a pause ends when the system accepts the check of a new connection with the account', async () => {
  const paused = await pausedConnection();
  expect(await paused.health()).toMatchObject({ pausedUntil: expect.any(String) });
  await closedConnection(paused.system);
  expect(await paused.health()).toMatchObject({ pausedUntil: null });
});

test('a pause ends when the end user authorizes the connection again, even with the same password', async () => {
  const connection = await pausedConnection();
  connection.system.isClosed = false;
  const renewed = renewal(connection, 'a');
  await renewed.check();
  await renewed.store();
  await vi.waitFor(async () => expect(await connection.health()).toMatchObject({ status: 'ok', pausedUntil: null }), {
    timeout: 30_000,
    interval: 200,
  });
});

test('a pause that a system requests after it has accepted the check lasts when the authorization is stored', async () => {
  const connection = await closedConnection();
  connection.system.isClosed = false;
  const renewed = renewal(connection, 'b');
  await renewed.check();
  connection.system.isClosed = true;
  await engine.requestSync(connection.id, 'full');
  await connection.synced();
  connection.system.calls = [];
  await renewed.store();
  await connection.synced();
  expect(connection.system.calls).toEqual([]);
  expect(hoursUntil((await connection.health()).pausedUntil)).toBeCloseTo(24, 0);
});

test('a connection that was authorized again is synchronized even if ending the pause fails', async () => {
  const connection = await closedConnection();
  connection.system.isClosed = false;
  const lost = () => Promise.reject(new Error('No database'));
  const failing = createEngine({
    store,
    databaseUrl,
    log,
    systems,
    quotas: Object.assign(memoryQuotas(), { pausesOf: lost }),
  });
  onTestFinished(() => failing.close());
  const renewed = renewal(connection, 'b', failing);
  await renewed.check();
  await renewed.store();
  await connection.synced();
  expect(connection.system.calls).toContain('GET /vendors');
});

test('an error while a pause ends leaves it to the next update that the system accepts', async () => {
  const { system, connections, settings, id, scope, synced, health } = await pausedConnection();
  system.isClosed = false;
  const lost = () => Promise.reject(new Error('No database'));
  const shared = { pausesOf: quotas.pausesOf.bind(quotas), resume: lost };
  const failing = createEngine({ store, databaseUrl, log, systems, quotas: Object.assign(memoryQuotas(), shared) });
  onTestFinished(() => failing.close());
  const failed = failing.connectionsOf(store.application(scope.applicationId), origin).update(id, { settings });
  await expect(failed).rejects.toThrow('No database');
  expect(hoursUntil((await health()).pausedUntil)).toBeCloseTo(24, 0);
  await connections.update(id, { settings });
  await synced();
  expect(await health()).toMatchObject({ status: 'ok', pausedUntil: null });
});
