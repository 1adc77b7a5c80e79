import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { saveRecords } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../src/index.ts';

type Limits = NonNullable<Parameters<typeof startApi>[0]>['responses'];

/** Size of a page in bytes: more than the kernel buffers for a connection on this machine. */
const PAGE = 16_000_000;
const RECORDS = 40;
const LONG = 600_000;
const LIST = '/v4/vendors';
/** Memory for two of these pages, one for each application, with long time limits. */
const roomForTwo = { totalBytes: 2.02 * PAGE, patienceUnderPressureMs: LONG, waitMs: LONG };

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await fill(api.connection);
});
afterAll(() => api.stop());

/** Another server on the same data, with its own limits and log. */
async function server(responses: Limits = {}) {
  const lines: { msg?: string; path?: string; status?: number; application?: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (text) => lines.push(JSON.parse(text)) });
  const { store, url: databaseUrl } = api;
  const engine = createEngine({ store, databaseUrl, log: logger });
  const requestsPerMinute = () => 1_000_000;
  const { url, close } = await createServer({
    ...{
      store,
      engine,
      logger,
      publicUrl: store.publicUrl,
      port: 0,
      requestsPerMinute,
      responses,
      largestResponse: 2 * PAGE,
    },
  });
  onTestFinished(async () => {
    await close();
    await engine.close();
  });
  const get = async (path: string, token: string | null = api.connection.token) => {
    const response = await fetch(url + path, { headers: token === null ? {} : { Authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { data: unknown[]; code?: string };
    return { status: response.status, headers: response.headers, body };
  };
  return {
    get,
    /** A connection that requests the list this number of times in one write and does not read. */
    slowReader: (times = 1, token = api.connection.token) => slowReader(url, token, times),
    brokenOff: () => lines.filter(({ msg }) => msg?.startsWith('response was not read')),
    lists: () => lines.filter(({ path, status }) => path === LIST && status === 200).length,
  };
}

/** Vendors with names longer than the document allows. A record contains its name twice, the second time as `_displayValue`. */
async function fill({ scope }: TestConnection): Promise<void> {
  const records = Array.from({ length: RECORDS }, (_, n) => ({
    ...{ _source: 't', _idValue: `${n}`, references: {} },
    values: { code: `${n}`, name: 'n'.repeat(PAGE / RECORDS / 2) },
  }));
  await saveRecords(scope, entities.Vendor, records);
}

async function slowReader(url: string, token: string, times: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(times));
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Reads until the connection is closed, or `bytes` have arrived. */
async function received(socket: Socket, bytes = Number.POSITIVE_INFINITY): Promise<number> {
  let length = 0;
  try {
    for await (const chunk of socket) {
      length += chunk.length;
      if (length >= bytes) break;
    }
  } catch {
    // The connection was reset.
  }
  return length;
}

it('pipelined lists are rendered one at a time, each after the previous one has been read', async () => {
  const { get, slowReader, lists } = await server({ totalBytes: 4 * PAGE });
  const reader = await slowReader(3);
  await expect.poll(lists).toBe(1);
  for (let n = 0; n < 5; n += 1) expect((await get('/v4/currencies')).status).toBe(200);
  expect(lists()).toBe(1);
  expect(await received(reader, 3 * PAGE)).toBeGreaterThanOrEqual(3 * PAGE);
  expect(lists()).toBe(3);
});

it('a response that is not read is cut off', async () => {
  const { slowReader, brokenOff } = await server({ patienceMs: 100 });
  const reader = await slowReader();
  await expect.poll(brokenOff).toHaveLength(1);
  expect(brokenOff()[0]).toMatchObject({ application: api.connection.applicationId });
  expect(await received(reader)).toBeLessThan(PAGE);
});

it('a response that is read far too slowly is cut off, even with some progress', async () => {
  const { slowReader, brokenOff } = await server({ patienceMs: 500, slowest: 1e9 });
  const reader = await slowReader();
  const sips = setInterval(() => reader.read(1_000), 10);
  onTestFinished(() => clearInterval(sips));
  await expect.poll(brokenOff).toHaveLength(1);
});

it('a response that is read is sent completely, even with little memory', async () => {
  const { get, brokenOff } = await server({ totalBytes: 1_000, patienceUnderPressureMs: LONG });
  const { status, body } = await get(LIST);
  expect([status, body.data.length]).toEqual([200, RECORDS]);
  expect(brokenOff()).toEqual([]);
});

it('under pressure the response of the slowest reader is cut off, and a client that reads gets its list', async () => {
  const { get, slowReader, brokenOff, lists } = await server({ ...roomForTwo, patienceUnderPressureMs: 50 });
  const reader = await slowReader();
  await expect.poll(lists).toBe(1);
  expect((await get(LIST)).status).toBe(200);
  expect(brokenOff()).toHaveLength(1);
  expect(await received(reader)).toBeLessThan(PAGE);
});

it('an application that fills its share gets 503 with Retry-After; others and the health check are served', async () => {
  const { get, slowReader, lists } = await server({ ...roomForTwo, waitMs: 100 });
  const other = await api.connect();
  await slowReader();
  await expect.poll(lists).toBe(1);
  const { status, headers, body } = await get(LIST);
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  expect((await get(LIST, other.token)).status).toBe(200);
  expect((await get('/v4/system/health', null)).status).toBe(200);
});

it('applications that fill the memory do not block others, even if their readers keep up', async () => {
  const { get, slowReader, brokenOff, lists } = await server(roomForTwo);
  const [second, third] = await Promise.all([api.connect(), api.connect()]);
  await fill(second);
  await slowReader();
  await slowReader(1, second.token);
  await expect.poll(lists).toBe(2);
  expect((await get(LIST, third.token)).status).toBe(200);
  expect(brokenOff()).toHaveLength(1);
});

it('text is the same regardless of the size of its pieces', async () => {
  const connection = await api.connect();
  const name = '𝄞'.repeat(100_000);
  const records = ['a', 'bc'].map((code) => ({
    ...{ _source: 't', _idValue: code, references: {} },
    values: { code, name: `${code}${name}` },
  }));
  await saveRecords(connection.scope, entities.Vendor, records);
  const { get } = await server();
  const { body } = await get(`${LIST}?sort=code`, connection.token);
  expect(body.data).toMatchObject([{ name: `a${name}` }, { name: `bc${name}` }]);
});
