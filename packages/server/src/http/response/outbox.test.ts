import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpResponse } from '../../http-response.ts';
import { Outbox, type ResponseLimits } from './outbox.ts';
import { type Delivery, deliveryFor, respond } from './respond.ts';

const RESERVED = 75;
const page = (length: number) => ({ status: 200, body: { json: JSON.stringify({ data: 'x'.repeat(length) }) } });
/** More bytes than the kernel buffers for a connection on this machine. */
const LARGE = page(16_000_000);
const PAGE = page(10_000);
const SHORT = { status: 200, body: { data: [] } };

async function* file(pieces: number, failure?: Error) {
  for (let n = 0; n < pieces; n += 1) yield Buffer.alloc(100_000);
  if (failure) throw failure;
}

type Handle = (response: ServerResponse, delivery: Delivery) => unknown;

/**
 * Sends one request to a server that reserves memory for the response and then calls `handle`. `begun` resolves to the bytes
 * that are reserved.
 */
async function sent(handle: Handle, options: RequestOptions = {}, limits: Partial<ResponseLimits> = {}) {
  const outbox = new Outbox(pino({ level: 'silent' }), limits);
  const begun = Promise.withResolvers<number>();
  const server = createServer(async (_request, response) => {
    const delivery = deliveryFor(outbox, 'application');
    outbox.reserve(delivery.share, RESERVED);
    begun.resolve(outbox.heldBytes);
    try {
      await handle(response, delivery);
    } catch {
      response.destroy();
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', agent: false, ...options });
  client.on('error', () => {});
  return { outbox, client, begun: begun.promise };
}

const sends =
  (answer: HttpResponse): Handle =>
  (response, delivery) =>
    respond(response, answer, [], delivery);

const COMPRESSED = { headers: { 'Accept-Encoding': 'gzip' } };

describe('the memory of a response is released when the client has received', () => {
  it.each<[string, Handle, RequestOptions?]>([
    ['a short body', sends(SHORT)],
    ['a body of several pieces', sends(LARGE)],
    ['a compressed body', sends(PAGE), COMPRESSED],
    ['a file', sends({ status: 200, body: file(5) })],
    ['part of a file that cannot be read', sends({ status: 200, body: file(2, new Error('The disk fails.')) })],
    ['no body', sends({ status: 204 })],
    ['the headers of a body', sends(PAGE), { method: 'HEAD' }],
    ['the headers of a compressed body', sends(PAGE), { method: 'HEAD', ...COMPRESSED }],
    ['the headers of a file', sends({ status: 200, body: file(5) }), { method: 'HEAD' }],
    ['nothing, because a header is invalid', sends({ status: 200, type: 'text/plain\n;a=b', body: 'x' })],
  ])('%s', async (_name, handle, options) => {
    const { outbox, client, begun } = await sent(handle, options);
    client.on('response', (response: IncomingMessage) => response.on('error', () => {}).resume());
    client.end();
    expect(await begun).toBe(RESERVED);
    await new Promise((resolve) => client.once('close', resolve));
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });

  it('an early response to a request that it does not complete', async () => {
    const options = { method: 'POST', headers: { 'Content-Length': 10 } };
    const { outbox, client } = await sent(sends({ status: 400, body: {} }), options);
    client.write('x');
    await once(client, 'response');
    client.destroy();
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });
});

describe('the memory of a response is released when the client leaves', () => {
  it('before the response is rendered', async () => {
    const { outbox, client, begun } = await sent(async (response, delivery) => {
      await once(response, 'close');
      respond(response, SHORT, [], delivery);
    });
    client.end();
    await begun;
    client.destroy();
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });

  it('before the response is sent', async () => {
    const { outbox, client, begun } = await sent((response, { outbox, share }) => {
      response.destroy();
      outbox.send(response, '{}', 'utf8', share);
    });
    client.end();
    await begun;
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });

  it('before the kernel accepts a short body', async () => {
    const { outbox, client, begun } = await sent((response, delivery) => {
      response.socket?.write(Buffer.alloc(16_000_000));
      return respond(response, SHORT, [], delivery);
    });
    client.end();
    await begun;
    client.destroy();
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });

  it('before the response is compressed', async () => {
    const handle: Handle = (response, delivery) => {
      const sending = respond(response, PAGE, [], delivery);
      response.destroy();
      return sending;
    };
    const { outbox, client, begun } = await sent(handle, COMPRESSED);
    client.end();
    await begun;
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });

  it.each([
    ['a body', LARGE],
    ['a file', { status: 200, body: file(Number.POSITIVE_INFINITY) }],
  ])('while it receives %s', async (_name, answer) => {
    const { outbox, client } = await sent(sends(answer));
    client.end();
    await once(client, 'response');
    expect(outbox.heldBytes).toBeGreaterThan(RESERVED);
    client.destroy();
    await expect.poll(() => outbox.heldBytes).toBe(0);
  });
});

it('the memory of a response is released when its client is disconnected because it does not read', async () => {
  const { outbox, client } = await sent(sends(LARGE), {}, { patienceMs: 20, patienceUnderPressureMs: 20 });
  client.end();
  const [response] = await once(client, 'response');
  response.on('error', () => {});
  await expect.poll(() => outbox.heldBytes).toBe(0);
});
