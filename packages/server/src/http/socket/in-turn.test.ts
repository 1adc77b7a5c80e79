import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { inTurn } from './in-turn.ts';

/** A server that records its requests, and a client that sends this number of requests in one write. */
async function pipelined(count: number, limits = { perSocket: 3, inAll: 10 }) {
  const begun: ServerResponse[] = [];
  const server = createServer(inTurn((_request, response) => void begun.push(response), limits)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
  return { begun, client };
}

it('the next request of a socket starts after the previous response has been sent', async () => {
  const { begun, client } = await pipelined(3);
  for (let n = 1; n <= 3; n += 1) {
    await expect.poll(() => begun).toHaveLength(n);
    const sent = once(client, 'data');
    begun[n - 1]?.end(`response ${n}`);
    expect(String((await sent)[0])).toContain(`response ${n}`);
  }
});

it('a socket that pipelines too many requests is closed', async () => {
  const { begun, client } = await pipelined(5);
  expect(await text(client).catch(() => '')).toBe('');
  expect(begun).toHaveLength(1);
});
