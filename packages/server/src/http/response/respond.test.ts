import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpResponse } from '../../http-response.ts';
import { Outbox } from './outbox.ts';
import { respond } from './respond.ts';
import { Share } from './response-memory.ts';

const LONG = 600_000;
/** Memory for one response of an application at a time. */
const outbox = new Outbox(pino({ level: 'silent' }), { renderingBytes: 400, waitMs: LONG });

/** Sends this response to a request of an application, after reserving memory for it. */
async function responded(answer: HttpResponse, init: RequestInit = {}) {
  const failures: unknown[] = [];
  const server = createServer((_request, response) => {
    const share = new Share('application');
    outbox.reserve(share, 75);
    try {
      respond(response, answer, [], { outbox, share });
    } catch (error) {
      failures.push(error);
      response.destroy();
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await fetch(`http://127.0.0.1:${port}`, init).then(
    (response) => response.text(),
    () => undefined,
  );
  return { failures, text };
}

/** Whether another response of the application gets memory immediately. */
const hasRoom = () => {
  const share = new Share('application');
  const waiting = outbox.reserve(share, 75);
  if (!waiting) outbox.release(share);
  return waiting === undefined;
};

it('a response that is sent releases its memory', async () => {
  expect(await responded({ status: 200, body: { data: [] } })).toEqual({ failures: [], text: '{"data":[]}' });
  expect(hasRoom()).toBe(true);
});

it.each([
  ['whose length is known', { json: '{"name":"Schrauben"}', isAscii: true }],
  ['with other characters', { json: '{"name":"Dübel 10 €"}' }],
])('a rendered text %s is sent completely', async (_, body) => {
  expect(await responded({ status: 200, body })).toEqual({ failures: [], text: body.json });
});

it('a response that cannot be sent releases its memory', async () => {
  const { failures } = await responded({ status: 200, type: 'text/plain\n;a=b', body: 'x' });
  expect(failures).toMatchObject([{ code: 'ERR_INVALID_CHAR' }]);
  expect(hasRoom()).toBe(true);
});
