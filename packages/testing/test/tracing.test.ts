import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi } from '@unified/testing';
import { inSpan } from '@unified/tracing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHttpClient } from '../../connectors/src/http/http-client.ts';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver, treeOf } from './trace-receiver.ts';

// A write waits for its outcome up to 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

let receiver: TraceReceiver;
let system: FaultySystem;
let api: TestApi;
let token: string;
let connectionId: string;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  system = await startFaultySystem();
  api = await startApi({ systems, policies: fastRetries });
  ({ token, connectionId } = await api.connect({ platform: 'faulty', settings: { url: system.url } }));
});
afterAll(async () => {
  await api.stop();
  await system.close();
  await receiver.stop();
});

/** A trace of a client, of which the last two digits of the id are given. */
const traceOf = (digits: string) => ({ id: `0af7651916cd43dd8448eb211c8031${digits}`, span: 'b7ad6b7169203331' });

const send = (path: string, { id, span }: ReturnType<typeof traceOf>, sent: object = {}) =>
  api.fetch<{ readonly writeId: string; readonly data: { readonly name: string } }>(`/v4${path}`, {
    ...{ token, headers: { Prefer: 'wait=30', traceparent: `00-${id}-${span}-01` } },
    ...sent,
  });

/** The kind of spans of calls to other systems, in OTLP. */
const CLIENT = 3;

const valuesOf = ({ attributes }: ReceivedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

it('one trace leads from a request through the queue to the calls of the connected system', async () => {
  const trace = traceOf('01');
  const { status } = await send('/vendors', trace, { method: 'POST', json: { name: 'Secret Ltd.' } });
  expect(status).toBe(201);
  await expect.poll(async () => treeOf(await receiver.spansOf(trace.id))).toContain('  write createVendor');
  const spans = await receiver.spansOf(trace.id);
  expect(treeOf(spans)[0]).toBe('POST /v4/vendors');
  expect(treeOf(spans)).toContain('    call for write');
  expect(spans[0]?.parentSpanId).toBe(trace.span);
  const write = spans.find(({ name }) => name === 'write createVendor');
  const writeId = write && valuesOf(write)['unified.write'];
  for (const call of spans.filter(({ name }) => name === 'call for write')) {
    expect(call.kind).toBe(CLIENT);
    expect(valuesOf(call)).toMatchObject({
      ...{ 'peer.service': 'faulty', 'unified.connection': connectionId, 'unified.purpose': 'write' },
      ...{ 'unified.stream': 'rows', 'unified.write': writeId },
    });
  }
  expect(spans.map(({ status }) => status.code ?? 0)).not.toContain(2);
  expect(JSON.stringify(spans)).not.toContain('Secret Ltd.');
});

it('a failure marks its spans with a code, without the message', async () => {
  system.faults.write.push('no');
  const trace = traceOf('02');
  const { status } = await send('/vendors', trace, { method: 'POST', json: { name: 'Refused' } });
  expect(status).toBe(422);
  const failed = async () => (await receiver.spansOf(trace.id)).filter((span) => span.status.code === 2);
  await expect.poll(async () => (await failed()).length).toBeGreaterThan(0);
  await expect.poll(async () => (await failed()).map(({ name }) => name)).toContain('write createVendor');
  for (const span of await failed()) {
    expect(span.status.message).toMatch(/^[\w-]+$/);
    expect(valuesOf(span)['error.type']).toBe(span.status.message);
  }
  const refused = (await failed()).find(({ name }) => name === 'write createVendor');
  expect(refused?.status.message).toMatch(/^SERVICE_/);
});

it('a read is one span, with its operation and status', async () => {
  const trace = traceOf('03');
  await send('/vendors?filter[name]=Secret', trace);
  await expect.poll(async () => treeOf(await receiver.spansOf(trace.id))).toEqual(['GET /v4/vendors']);
  const [span] = await receiver.spansOf(trace.id);
  expect(span && valuesOf(span)).toMatchObject({
    'unified.operation': 'listVendors',
    'http.response.status_code': 200,
  });
  expect(JSON.stringify(span)).not.toContain('Secret');
});

it('calls over HTTP continue the trace in the connected system', async () => {
  const arrived: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    arrived.push(request.headers.traceparent);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`);
  const client = createHttpClient({ allowPrivate: true });
  const trace = traceOf('04');
  await inSpan('test', { parent: `00-${trace.id}-${trace.span}-01` }, () => client.send({ method: 'GET', url }));
  await client.close();
  server.close();
  const spans = await receiver.spansOf(trace.id);
  expect(treeOf(spans)).toEqual(['test', '  GET']);
  expect(arrived).toEqual([`00-${trace.id}-${spans[1]?.spanId}-01`]);
  expect(JSON.stringify(spans)).not.toContain('secret-path');
});
