import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { forwarded } from './forwarding.ts';
import { startHttpServer } from './http-server.ts';

/** What `forwarded` returns for a response that the system marks as compressed. */
async function received(body: Buffer) {
  const system = await startHttpServer(async (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    await once(response, 'close');
  });
  const request = { method: 'GET', url: '/', headers: {} };
  return forwarded(new URL(system.origin), request, Buffer.alloc(0)).finally(() => system.close());
}

test.each([
  ['is', gzipSync('{"rows": []}')],
  ['is not', Buffer.from('{"rows": []}')],
])('a body that %s compressed is text, and is not marked as compressed', async (_, body) => {
  const { headers, body: text } = await received(body);
  expect(text.toString()).toBe('{"rows": []}');
  expect(headers).not.toHaveProperty('content-encoding');
});

test('a request is not sent on the socket of an earlier one, which a system may close without announcing it', async () => {
  const served = new Set();
  const system = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', () => {
        if (served.has(socket)) return void socket.destroy();
        served.add(socket);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      });
  });
  system.listen(0, '127.0.0.1');
  await once(system, 'listening');
  onTestFinished(() => void system.close());
  const url = new URL(`http://127.0.0.1:${(system.address() as AddressInfo).port}`);
  for (const path of ['/1', '/2', '/3']) {
    const { body } = await forwarded(url, { method: 'GET', url: path, headers: {} }, Buffer.alloc(0));
    expect(body.toString()).toBe('{}');
  }
});
