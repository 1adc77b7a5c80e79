import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { addSandboxPlatform } from '@unified/sandbox';
import { api as startApi } from '@unified/testing';
import pg from 'pg';
import { expect, it } from 'vitest';

addSandboxPlatform();

/** A connection over which this part of a request was sent. */
async function sent(baseUrl: string, part: string): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(part);
  return socket;
}

it('a server that closes completes open requests, and does not wait for incomplete ones', async () => {
  const api = await startApi({ closeTimeoutMs: 120_000 });
  const { token } = await api.connect({ platform: 'sandbox', settings: { url: 'postgres://unknown@localhost/none' } });
  const create = (body: string) =>
    `POST /v4/vendors HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
    `Prefer: respond-async\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // Delays every write until it is released.
  const holder = new pg.Client(api.url);
  await holder.connect();
  await holder.query('begin; lock table unified.writes');
  const half = await sent(api.baseUrl, 'GET /v4/vendors HTTP/1.1\r\nHost: ');
  const silent = await sent(api.baseUrl, '');
  const waiting = await sent(api.baseUrl, create('{"name":"ACME","terms":"Net 30"}'));
  const answers = Promise.all([half, silent, waiting].map((socket) => text(socket)));
  // Once the server responds to the next request, it has read the previous one.
  await api.fetch('/v4/vendors');
  const stopped = api.stop();
  await holder.end();
  await stopped;

  const [toHalf, toSilent, toWaiting] = await answers;
  expect([toHalf, toSilent]).toEqual(['', '']);
  expect(toWaiting).toMatch(/^HTTP\/1.1 202 /);
  expect(toWaiting).toContain('\r\nConnection: close\r\n');
});

it('a server that closes cuts off a body that does not end', async () => {
  const api = await startApi({ closeTimeoutMs: 100 });
  const stalled = await sent(
    api.baseUrl,
    `POST /v4/vendors HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.connection.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
  );
  stalled.on('error', () => {});
  const broken = new Promise((resolve) => stalled.once('close', resolve));
  await api.fetch('/v4/vendors');
  await api.stop();
  await broken;
  expect(stalled.destroyed).toBe(true);
});
