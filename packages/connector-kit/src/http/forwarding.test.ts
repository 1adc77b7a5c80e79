import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
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
