import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpResponse } from '../../http-response.ts';
import { Outbox } from './outbox.ts';
import { deliveryFor, respond } from './respond.ts';

const json = (length: number) => ({ json: JSON.stringify('x'.repeat(length - 2)) });
const LONG = { status: 200, body: json(2_000), headers: { ETag: '"tag"' } };
const SHORT = { status: 200, body: json(1_999), headers: { ETag: '"tag"' } };

interface Sent {
  readonly accept?: string;
  readonly method?: string;
  /** Number of bytes that the request announces but does not send. */
  readonly unsent?: number;
}

/** Sends a response and returns what the client receives. */
async function received(answer: HttpResponse, { accept = 'gzip', method = 'GET', unsent = 0 }: Sent = {}) {
  const outbox = new Outbox(pino({ level: 'silent' }));
  const server = createServer((_request, response) => void respond(response, answer, [], deliveryFor(outbox)));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'Accept-Encoding': accept, ...(unsent > 0 && { 'Content-Length': unsent + 1 }) };
  const client = request({ port, host: '127.0.0.1', agent: false, method, headers });
  if (unsent > 0) client.write('x');
  else client.end();
  const [response] = await once(client, 'response');
  const { 'content-encoding': coding, 'content-length': length, etag, vary } = response.headers;
  if (unsent > 0) {
    client.destroy();
    return { coding, etag, vary };
  }
  return { coding, length, etag, vary, bytes: await buffer(response) };
}

it('a response of 2,000 bytes is compressed, with a tag that names the coding', async () => {
  const { bytes, ...head } = await received(LONG);
  const length = String(bytes?.length);
  expect(head).toEqual({ coding: 'gzip', length, etag: '"tag-gzip"', vary: 'Accept-Encoding' });
  expect(gunzipSync(bytes ?? '').toString()).toBe(LONG.body.json);
});

it('a shorter one is not, unless the client excludes that', async () => {
  const plain = { coding: undefined, length: '1999', etag: '"tag"', vary: 'Accept-Encoding' };
  expect(await received(SHORT)).toMatchObject(plain);
  expect(await received(SHORT, { accept: 'gzip, identity;q=0' })).toMatchObject({ coding: 'gzip', etag: '"tag-gzip"' });
});

it('the response to HEAD has the same headers, without the length of bytes that are not compressed', async () => {
  const { bytes, ...head } = await received(LONG, { method: 'HEAD' });
  expect(head).toEqual({ coding: 'gzip', length: undefined, etag: '"tag-gzip"', vary: 'Accept-Encoding' });
  expect(bytes?.length).toBe(0);
});

it('neither a file nor a stream is compressed, so that neither varies', async () => {
  const plain = { coding: undefined, etag: '"tag"', vary: undefined };
  expect(await received({ ...LONG, type: 'text/csv', body: LONG.body.json })).toMatchObject(plain);
  const stream = (async function* () {
    yield Buffer.alloc(10_000);
  })();
  expect(await received({ ...LONG, body: stream })).toMatchObject(plain);
});

it('the response to a request that was not received completely is not compressed', async () => {
  expect(await received(LONG, { method: 'POST', unsent: 10 })).toEqual({
    ...{ coding: undefined, etag: '"tag"', vary: 'Accept-Encoding' },
  });
});

it('a header that varies a response is kept', async () => {
  expect((await received({ ...LONG, headers: { Vary: 'Accept' } })).vary).toBe('Accept, Accept-Encoding');
});
