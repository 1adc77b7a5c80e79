import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fault, FaultPlan, httpFaults, repeated } from './fault-plan.ts';
import { startHttpFaultProxy } from './http-fault-proxy.ts';

let received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url} ${request.headers.host}`);
  const next = `http://${request.headers.host}/rows?page=2`;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ at: request.url, next, rows: [{ id: 1 }, { id: 2 }, { id: 3 }] }));
});
let target: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends one request through a proxy that always injects this fault, and then one without the fault. */
async function send(fault: Fault) {
  received = [];
  const plan = new FaultPlan({ seed: 1, faults: [fault], share: 1 });
  const proxy = await startHttpFaultProxy(`${target}/api`, plan);
  try {
    const first = await fetched(proxy.url);
    await fetched(proxy.url);
    const last = await fetched(proxy.url);
    return { ...first, last, url: proxy.url, received: received.length };
  } finally {
    await proxy.close();
  }
}

async function fetched(url: string) {
  try {
    const response = await fetch(`${url}/rows`);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { status: null, retryAfter: null, body: null };
  }
}

const ids = (body: string | null) => (JSON.parse(body ?? '') as { rows: { id: number }[] }).rows.map(({ id }) => id);

test.each(httpFaults)('%s ends after two requests', async (fault) => {
  const { last, url } = await send(fault);
  expect(last).toMatchObject({ status: 200, retryAfter: null });
  expect(ids(last.body)).toEqual([1, 2, 3]);
  expect(JSON.parse(last.body ?? '').next).toBe(`${new URL(url).origin}/rows?page=2`);
});

test('faults that have no effect are not counted', async () => {
  const plan = new FaultPlan({ seed: 1, faults: ['reordered', repeated], share: 1 });
  const proxy = await startHttpFaultProxy(target, plan);
  for (let call = 1; call <= 6; call += 1) await fetched(`${proxy.url}/api`);
  await proxy.close();
  expect(plan.injected.every((fault) => fault === 'reordered')).toBe(true);
  expect(plan.injected.length).toBeLessThan(4);
});

test('a page is repeated only instead of the next one of the same list', async () => {
  const plan = new FaultPlan({ seed: 1, faults: [repeated], share: 1 });
  const proxy = await startHttpFaultProxy(`${target}/api`, plan);
  const bodyOf = async (query: string) => (await (await fetch(`${proxy.url}/rows?${query}`)).json()) as { at: string };
  const asked = async (query: string) => (await bodyOf(query)).at;
  expect(await asked('sort=id&page=1')).toBe('/api/rows?sort=id&page=1');
  expect(await asked('sort=id&page=2')).toBe('/api/rows?sort=id&page=1');
  expect(await asked('sort=name&page=3')).toBe('/api/rows?sort=name&page=3');
  await proxy.close();
  expect(plan.injected).toEqual([repeated]);
});

test('the system receives a request whose response is lost, and none that the proxy refuses', async () => {
  expect(await send('reset-after')).toMatchObject({ status: null, received: 3 });
  expect(received).toEqual(Array(3).fill(`GET /api/rows ${new URL(target).host}`));
  expect(await send('reset-before')).toMatchObject({ status: null, received: 1 });
  expect(await send('throttled')).toMatchObject({ status: 429, retryAfter: '1', received: 1 });
  expect(await send('error-503')).toMatchObject({ status: 503, received: 1 });
  expect(await send('error-504-after')).toMatchObject({ status: 504, received: 3 });
});

test('bodies are cut, replaced by a page, or reordered', async () => {
  expect(await send('truncated')).toMatchObject({ status: null, received: 3 });
  const page = { status: 200, body: expect.stringContaining('<!doctype html>') };
  expect(await send('html')).toMatchObject({ ...page, received: 1 });
  expect(await send('html-after')).toMatchObject({ ...page, received: 3 });
  expect(ids((await send('reordered')).body)).toEqual([3, 2, 1]);
});

test('a seed repeats the sequence of faults, and a different seed produces a different sequence', () => {
  const sequence = (seed: number) => {
    const plan = new FaultPlan({ seed, faults: httpFaults, share: 0.5 });
    return Array.from({ length: 40 }, () => plan.next());
  };
  expect(sequence(7)).toEqual(sequence(7));
  expect(sequence(7)).not.toEqual(sequence(8));
  expect(new Set(sequence(7)).size).toBeGreaterThan(5);
});
