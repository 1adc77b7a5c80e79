import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createInFlight } from './in-flight.ts';

/** Longer than any test takes. */
const LONG = 600_000;

/** A server with a request in progress, which `end` completes. */
async function busyServer() {
  const server = createServer();
  const inFlight = createInFlight(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const client = get({ port, host: '127.0.0.1' }).on('error', () => undefined);
  const [, response] = await arrived;
  return { inFlight, client, end: () => response.end() };
}

/** Records what has settled, in order. */
function watch() {
  const settled: string[] = [];
  const follow = (name: string, promise: Promise<void>) => promise.then(() => settled.push(name));
  return { settled, follow };
}

test('the wait ends immediately if there are no requests', async () => {
  const { inFlight, end } = await busyServer();
  const first = inFlight.none(LONG);
  end();
  await first;
  await inFlight.none(LONG);
});

test.each(['answered', 'broken off'] as const)('the wait ends when the last request is %s', async (how) => {
  const { inFlight, client, end } = await busyServer();
  const { settled, follow } = watch();
  const both = [follow('silence', inFlight.none(LONG)), follow('silence too', inFlight.none(LONG))];
  await follow('a moment', inFlight.none(1));
  if (how === 'answered') end();
  else client.destroy();
  await Promise.all(both);
  expect(settled).toEqual(['a moment', 'silence', 'silence too']);
});
