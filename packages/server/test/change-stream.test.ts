import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { entities } from '@unified/contract';
import { deleteRecords, expireLogs, revokeOtherTokens, saveRecords } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';

/** Makes sure that a revoked token is refused immediately. */
const tokenCache = { get: async () => undefined, set: async () => {} };

let api: TestApi;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi({ tokenCache });
});
beforeEach(async () => {
  connection = await api.connect();
});
afterAll(() => api.stop());

const save = (_idValue: string, entity: 'Vendor' | 'Currency' = 'Vendor') =>
  saveRecords(connection.scope, entities[entity], [
    { _source: 't', _idValue, values: { code: _idValue, name: _idValue }, references: {} },
  ]);

interface OpenOptions {
  readonly lastEventId?: string;
  readonly token?: string;
  readonly baseUrl?: string;
}

/** An open stream, whose text is read until it contains what is expected. */
async function open(query = '', { lastEventId, token = connection.token, baseUrl = api.baseUrl }: OpenOptions = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = {
    Accept: 'text/event-stream',
    Authorization: `Bearer ${token}`,
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
  };
  const response = await fetch(`${baseUrl}/v4/changes?${query}`, { headers, signal: leaving.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async () => {
    const { value = '', done } = (await reader?.read()) ?? { done: true };
    text += value;
    return !done;
  };
  return {
    response,
    leave: () => leaving.abort(),
    /** The text up to the first occurrence of `wanted`. */
    async until(wanted: string) {
      while (!text.includes(wanted))
        if (!(await more())) throw new Error(`The stream ended without ${wanted}: ${text}`);
      return text;
    },
    /** The whole text, once the stream has ended. */
    async end() {
      while (await more());
      return text;
    },
  };
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id));
const dataIn = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));

it('a stream contains the changes after its cursor, and then each one as it is logged', async () => {
  await save('1');
  await save('2');
  const stream = await open('cursor=1');
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get('Content-Type')).toBe('text/event-stream');
  expect(stream.response.headers.get('Cache-Control')).toBe('no-store');
  await stream.until('id: 2\ndata: ');
  await save('3');
  const text = await stream.until('id: 3\ndata: ');
  expect(text.startsWith('retry: 1000\nid: 1\n\n')).toBe(true);
  expect(idsIn(text)).toEqual([2, 3]);
  const page = await api.fetch<{ data: unknown[] }>('/v4/changes?cursor=1', { token: connection.token });
  expect(dataIn(text)).toEqual(page.body.data);
});

it('a stream continues after the last event that its client has received', async () => {
  for (const id of ['1', '2', '3']) await save(id);
  expect(idsIn(await (await open('cursor=0', { lastEventId: '2' })).until('id: 3\ndata: '))).toEqual([3]);
});

it('a stream of later changes only sends its position before the first of them', async () => {
  await save('1');
  const stream = await open('cursor=latest');
  expect(await stream.until('\n\n')).toContain('id: 1\n');
  await save('2');
  expect(idsIn(await stream.until('id: 2\ndata: '))).toEqual([2]);
});

it('a stream moves the position past changes that are not selected', async () => {
  await save('EUR', 'Currency');
  const stream = await open('entity=Vendor&include=record');
  await stream.until('id: 1\n\n');
  await save('1');
  const [change] = dataIn(await stream.until('id: 2\ndata: '));
  expect(change).toMatchObject({ entity: 'Vendor', record: { name: '1' } });
});

it('a long log is streamed completely, in order', async () => {
  await saveRecords(
    connection.scope,
    entities.Vendor,
    Array.from({ length: 1_700 }, (_, n) => ({
      _source: 't',
      _idValue: `${n}`,
      values: { name: `${n}` },
      references: {},
    })),
  );
  const text = await (await open('include=record')).until('id: 1700\ndata: ');
  expect(idsIn(text)).toEqual(Array.from({ length: 1_700 }, (_, n) => n + 1));
});

it('a narrowed token gets only the changes of its entities', async () => {
  const token = await connection.issueToken({ access: [{ entity: 'Currency', fields: ['code'] }] });
  const stream = await open('include=record', { token });
  await save('1');
  await save('EUR', 'Currency');
  const changes = dataIn(await stream.until('id: 2\ndata: '));
  expect(changes).toHaveLength(1);
  expect(changes[0].record.code).toBe('EUR');
});

it('a stream ends without a change once its token is revoked', async () => {
  const stream = await open();
  await stream.until('\n\n');
  await revokeOtherTokens(api.store, connection.connectionId, randomUUID());
  await save('1');
  expect(idsIn(await stream.end())).toEqual([]);
  expect((await open()).response.status).toBe(401);
});

it('a cursor whose changes are no longer kept is refused', async () => {
  await save('1');
  await save('1');
  await deleteRecords(connection.scope, entities.Vendor, 't', ['1'], '2026-11-20T09:30:00Z');
  await expireLogs(api.store, Date.now() + 31 * 86_400_000);
  const refused = await open('cursor=0');
  expect([refused.response.status, JSON.parse(await refused.end()).code]).toEqual([410, 'SERVICE_CURSOR_EXPIRED']);
});

it('a stream of a client that does not read is ended; it can continue later', async () => {
  const ended = Promise.withResolvers<void>();
  const write = (line: string) => line.includes('response was not read in time') && ended.resolve();
  const slow = await startApi({
    responses: { patienceMs: 1_000, patienceUnderPressureMs: 400 },
    logger: pino({ level: 'warn' }, { write }),
  });
  onTestFinished(() => slow.stop());
  const { scope, token } = slow.connection;
  // Each name is twice as long in the record, which also contains it in `_displayValue`: more than the kernel buffers.
  const records = Array.from({ length: 80 }, (_, n) => ({
    ...{ _source: 't', _idValue: `${n}`, references: {} },
    values: { code: `${n}`, name: 'n'.repeat(100_000) },
  }));
  await saveRecords(scope, entities.Vendor, records);
  const silence = silent(slow.baseUrl, token);
  await ended.promise;
  silence.destroy();
  const stream = await open('include=record&cursor=79', { token, baseUrl: slow.baseUrl });
  expect(idsIn(await stream.until('id: 80\ndata: '))).toEqual([80]);
});

/** A connection that requests a stream but does not read it. */
function silent(baseUrl: string, token: string): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    `GET /v4/changes?include=record HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n` +
      `Authorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

it('an application has a limited number of open streams; one that is closed makes room', async () => {
  const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
  for (const { response } of streams) expect(response.status).toBe(200);
  const refused = await open();
  expect([refused.response.status, refused.response.headers.get('Retry-After')]).toEqual([429, '30']);
  const other = await api.connect();
  expect((await open('', { token: other.token })).response.status).toBe(200);
  expect((await api.fetch('/v4/changes', { token: connection.token })).status).toBe(200);
  streams[0]?.leave();
  await expect.poll(async () => (await open()).response.status).toBe(200);
});

it('a server that closes ends its streams', async () => {
  const closing = await startApi();
  const { token } = closing.connection;
  const stream = await open('', { token, baseUrl: closing.baseUrl });
  await stream.until('\n\n');
  await closing.stop();
  expect(await stream.end()).toMatch(/\n\n$/);
});

it('HEAD of a stream has no body, and Accept decides which form is returned', async () => {
  const headers = { Accept: 'text/event-stream' };
  const { token } = connection;
  const head = await api.fetch('/v4/changes', { token, method: 'HEAD', headers });
  expect([head.status, head.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  const preferred = await api.fetch('/v4/changes', { token, headers: { Accept: 'text/event-stream;q=0.5, */*' } });
  expect(preferred.body).toMatchObject({ data: [] });
  const refused = await api.fetch('/v4/changes', { token, headers: { Accept: 'text/html' } });
  expect(refused).toMatchObject({ status: 406, body: { code: 'SERVICE_NOT_ACCEPTABLE' } });
});

it('an event id that the log never returned is refused', async () => {
  const refused = await open('', { lastEventId: 'x' });
  expect([refused.response.status, JSON.parse(await refused.end()).code]).toEqual([400, 'SERVICE_INVALID_CURSOR']);
});
