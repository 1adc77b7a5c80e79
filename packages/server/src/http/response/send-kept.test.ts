import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpResponse } from '../../http-response.ts';
import { Outbox } from './outbox.ts';
import { deliveryFor } from './respond.ts';
import { sendKept } from './send-kept.ts';

const PAGE = { status: 200, type: 'text/plain; charset=utf-8', body: 'ä'.repeat(1_000) };

/** Serves a response created by `create`; returns a function that requests it. */
async function served(create: () => Promise<HttpResponse>) {
  const outbox = new Outbox(pino({ level: 'silent' }));
  const app = express().get(
    '/',
    sendKept(create, () => deliveryFor(outbox)),
  );
  app.use(((_error, _request, response, _next) => void response.sendStatus(500)) as express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (headers: Readonly<Record<string, string>> = {}) => fetch(`http://127.0.0.1:${port}/`, { headers });
}

it('a response is created once, and again only after a failure', async () => {
  let calls = 0;
  const get = await served(async () => {
    calls += 1;
    if (calls === 1) throw new Error('The file cannot be read.');
    return PAGE;
  });
  expect((await get()).status).toBe(500);
  for (let n = 0; n < 3; n += 1) expect(await (await get()).text()).toBe(PAGE.body);
  expect(calls).toBe(2);
});

it('it is compressed if the client accepts that, with one tag for both forms', async () => {
  const get = await served(async () => PAGE);
  const [plain, coded] = [await get({ 'Accept-Encoding': 'identity' }), await get({ 'Accept-Encoding': 'gzip' })];
  const headersOf = ({ headers }: Response) =>
    ['content-encoding', 'vary', 'cache-control', 'etag'].map((name) => headers.get(name));
  const tag = expect.stringMatching(/^W\/"[\w-]{43}"$/);
  expect(headersOf(plain)).toEqual([null, 'Accept-Encoding', 'no-cache', tag]);
  expect(headersOf(coded)).toEqual(['gzip', 'Accept-Encoding', 'no-cache', plain.headers.get('etag')]);
  expect([await plain.text(), await coded.text()]).toEqual([PAGE.body, PAGE.body]);
});

it('it is 304 for a client that has it', async () => {
  const get = await served(async () => PAGE);
  const tag = (await get()).headers.get('etag') ?? '';
  const unchanged = await get({ 'If-None-Match': `"other", ${tag}` });
  expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', tag]);
  expect(unchanged.headers.get('vary')).toBe('Accept-Encoding');
  expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
});

it('an error is sent as it is, without a tag', async () => {
  const get = await served(async () => ({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } }));
  const { status, headers } = await get();
  expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([404, null, 'no-store']);
});
