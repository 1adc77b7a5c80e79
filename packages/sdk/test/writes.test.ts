import { describe, expect, it } from 'vitest';
import type { Written } from '../src/index.ts';
import { answering } from './answering-server.ts';
import { holdTimeouts } from './held-timeouts.ts';
import { failure, vendor, write } from './records.ts';
import { testClient } from './test-client.ts';

const queued = { status: 202, json: write('pending'), headers: { 'Write-Id': 'w1' } };
const running = { json: write('running') };
const unsynced = { json: write('succeeded', { synced: false }) };
const done = { json: write('succeeded', { result: { id: '7', _idValue: '7', links: [], record: {} } }) };
const answer = { json: { data: vendor('7') } };

describe('a create', () => {
  it('returns the record when the outcome is known in time', async () => {
    const server = await answering({ status: 201, json: { data: vendor('7') } });
    await expect(testClient(server.url).client.vendors.create({ name: 'ACME' })).resolves.toMatchObject({ id: '7' });
    expect(server.arrived).toMatchObject([{ method: 'POST', path: '/v4/vendors', body: { name: 'ACME' } }]);
  });

  it('follows the write until its record can be read, then returns the record', async () => {
    const server = await answering(queued, running, unsynced, done, answer);
    const { client, waits } = testClient(server.url);
    await expect(client.vendors.create({ name: 'ACME' })).resolves.toMatchObject({ id: '7' });
    const write = 'GET /v4/writes/w1';
    const paths = server.arrived.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual(['POST /v4/vendors', write, write, write, 'GET /v4/vendors/7']);
    expect(waits).toEqual([0.2, expect.closeTo(0.3)]);
  });

  it('fails with the error of the write', async () => {
    const error = { code: 'SERVICE_REJECTED', status: 422, message: 'Name is taken', details: [{ field: 'name' }] };
    const server = await answering(queued, { json: write('failed', { error }) });
    await expect(testClient(server.url).client.vendors.create({ name: 'ACME' })).rejects.toMatchObject({
      code: 'SERVICE_REJECTED',
      status: 422,
      message: 'Name is taken',
      details: [{ field: 'name' }],
      writeId: 'w1',
    });
  });

  it('fails if its write record does not name the record, instead of returning the list', async () => {
    const server = await answering(queued, { json: write('succeeded') }, { json: { data: [vendor('1')] } });
    const create = testClient(server.url).client.vendors.create({ name: 'ACME' });
    await expect(create).rejects.toMatchObject({ code: 'CLIENT_UNREADABLE', writeId: 'w1' });
  });

  it('fails when the write was cancelled', async () => {
    const server = await answering(queued, { json: write('cancelled') });
    const create = testClient(server.url).client.vendors.create({ name: 'ACME' });
    await expect(create).rejects.toMatchObject({ code: 'SERVICE_WRITE_CANCELLED', status: 409, writeId: 'w1' });
  });

  it('waits up to timeoutMs for an outcome that is unknown or has a new status', async () => {
    const timeouts = holdTimeouts();
    const server = await answering(queued, { json: write('unknown') }, { json: write('under_review') });
    const { client } = testClient(server.url);
    const create = client.vendors.create({ name: 'ACME' }, { timeoutMs: 30 });
    const idempotencyKey = expect.stringMatching(/./);
    const expected = { code: 'CLIENT_TIMEOUT', writeId: 'w1', retryable: true, idempotencyKey };
    const ended = expect(create).rejects.toMatchObject(expected);
    await server.arrival(5);
    timeouts.pass(30);
    await ended;
  });

  it('returns the write record immediately with respondAsync', async () => {
    const server = await answering(queued);
    const { client } = testClient(server.url);
    const record = await client.vendors.create({ name: 'ACME' }, { respondAsync: true });
    expect(record.writeId).toBe('w1');
    expect(server.arrived).toHaveLength(1);
    expect(server.arrived[0]?.headers.prefer).toBe('respond-async');
  });

  it('returns the write record with respondAsync even when the key was settled before', async () => {
    const replayed = { json: { data: vendor('7') }, headers: { 'Write-Id': 'w1' } };
    const server = await answering(replayed, done);
    const { client } = testClient(server.url);
    const record = await client.vendors.create({ name: 'ACME' }, { respondAsync: true, idempotencyKey: 'k' });
    expect(record).toMatchObject({ writeId: 'w1', status: 'succeeded' });
  });

  it('returns the planned steps with dryRun', async () => {
    const server = await answering({ status: 202, json: write('planned') });
    const plan = await testClient(server.url).client.vendors.create({ name: 'ACME' }, { dryRun: true });
    expect(plan.status).toBe('planned');
    expect(server.arrived[0]?.query.get('dryRun')).toBe('true');
  });

  it('rejects on time even when the service does not respond', async () => {
    const timeouts = holdTimeouts();
    const server = await answering(queued, { silent: true });
    const create = testClient(server.url).client.vendors.create({ name: 'ACME' }, { timeoutMs: 30 });
    const ended = expect(create).rejects.toMatchObject({ code: 'CLIENT_TIMEOUT', writeId: 'w1' });
    await server.arrival(2);
    timeouts.pass(30);
    await ended;
  });

  it.each([
    [{ wait: 25 }, 'wait=25'],
    [{ timeoutMs: 8_000 }, 'wait=4'],
    [{ timeoutMs: 8_000, wait: 0 }, 'wait=0'],
    [{ respondAsync: true, timeoutMs: 8_000 }, 'respond-async'],
    [{ strict: true, wait: 25 }, 'handling=strict, wait=25'],
    [{}, undefined],
  ])('sends how long the server may wait, and how it handles the body: %j', async (options, prefer) => {
    holdTimeouts();
    const server = await answering(queued, done, answer);
    await testClient(server.url).client.vendors.create({ name: 'ACME' }, options);
    expect(server.arrived[0]?.headers.prefer).toBe(prefer);
  });
});

describe('a change', () => {
  it('is a PATCH or, for a replacement, a PUT of the record', async () => {
    const server = await answering(answer);
    const { client } = testClient(server.url);
    await expect(client.vendors.update('7', { terms: 'Net 30' })).resolves.toMatchObject({ id: '7' });
    await client.legacy.vendors.replace('a/b', { name: 'ACME' });
    expect(server.arrived).toMatchObject([
      { method: 'PATCH', path: '/v4/vendors/7', body: { terms: 'Net 30' } },
      { method: 'PUT', path: '/v4/vendors/a%2Fb', body: { name: 'ACME' } },
    ]);
  });

  it('returns the record after following the write', async () => {
    const server = await answering(queued, done, answer);
    await expect(testClient(server.url).client.vendors.update('7', { terms: 'Net 30' })).resolves.toMatchObject({
      id: '7',
    });
    expect(server.arrived.at(-1)).toMatchObject({ method: 'GET', path: '/v4/vendors/7' });
  });
});

describe('a delete', () => {
  it('returns nothing, immediately or after following the write', async () => {
    const server = await answering({ status: 204 }, queued, unsynced);
    const { client } = testClient(server.url);
    await expect(client.workOrders.delete('1')).resolves.toBeUndefined();
    await expect(client.workOrders.delete('1')).resolves.toBeUndefined();
    expect(server.arrived).toHaveLength(3);
  });
});

describe('an action', () => {
  it('is sent to the record and returns its write record', async () => {
    const server = await answering(queued);
    const { client } = testClient(server.url);
    const record = await client.workOrders.cancel(
      '1',
      { reason: { _displayValue: 'Duplicate' }, note: 'twice' },
      { wait: 5 },
    );
    expect(record).toMatchObject({ writeId: 'w1', status: 'pending' });
    expect(server.arrived).toMatchObject([
      {
        method: 'POST',
        path: '/v4/work-orders/1/actions/cancel',
        body: { reason: { _displayValue: 'Duplicate' }, note: 'twice' },
        headers: { prefer: 'wait=5', 'idempotency-key': expect.any(String) },
      },
    ]);
  });

  it('is named in camel case and addressed with hyphens', async () => {
    const server = await answering(queued);
    await testClient(server.url).client.purchaseOrders.setStatus('1', { statusCategory: 'approved' });
    expect(server.arrived[0]?.path).toBe('/v4/purchase-orders/1/actions/set-status');
  });

  it('accepts its options in place of a body', async () => {
    const server = await answering(queued);
    await testClient(server.url).client.writes.retry('w1', { idempotencyKey: 'again' });
    expect(server.arrived).toMatchObject([
      { path: '/v4/writes/w1/actions/retry', body: undefined, headers: { 'idempotency-key': 'again' } },
    ]);
  });
});

describe('onWrite', () => {
  const named = { 'Write-Id': 'w1' };
  const heard = () => {
    const writes: Written[] = [];
    return { writes, onWrite: (written: Written) => void writes.push(written) };
  };

  it.each([
    ['the record', { json: { data: vendor('7') }, headers: named }, 0],
    ['the record and warnings', { json: { data: vendor('7') }, headers: { ...named, 'Write-Warnings': '2' } }, 2],
  ])('gets the write record of a response that is %s', async (_, reply, warnings) => {
    const server = await answering(reply);
    const { writes, onWrite } = heard();
    await expect(
      testClient(server.url).client.vendors.update('7', { terms: 'Net 30' }, { onWrite }),
    ).resolves.toMatchObject({ id: '7' });
    expect(writes).toEqual([{ writeId: 'w1', warnings }]);
  });

  it('gets that of a delete', async () => {
    const server = await answering({ status: 204, headers: named });
    const { writes, onWrite } = heard();
    await testClient(server.url).client.workOrders.delete('1', { onWrite });
    expect(writes).toEqual([{ writeId: 'w1', warnings: 0 }]);
  });

  it('gets it once, with its last warnings, after following the write', async () => {
    const warnings = [{ code: 'VALUE_ADJUSTED', message: 'Rounded', field: 'rating' }];
    const result = { id: '7', _idValue: '7', links: [], record: {} };
    const server = await answering(queued, running, { json: write('succeeded', { warnings, result }) }, answer);
    const { writes, onWrite } = heard();
    await testClient(server.url).client.vendors.create({ name: 'ACME' }, { onWrite });
    expect(writes).toEqual([{ writeId: 'w1', warnings: 1 }]);
  });

  it('is awaited, and its error is that of the call', async () => {
    const server = await answering({ status: 201, json: { data: vendor('7') }, headers: named });
    const onWrite = () => Promise.reject(new Error('the log is full'));
    const create = testClient(server.url).client.vendors.create({ name: 'ACME' }, { onWrite });
    await expect(create).rejects.toThrow('the log is full');
  });

  it('is not called if the response is the write record, or the write failed', async () => {
    const server = await answering(queued, failure(422, 'SERVICE_REJECTED', named));
    const { client } = testClient(server.url);
    const { writes, onWrite } = heard();
    await client.vendors.create({ name: 'ACME' }, { onWrite, respondAsync: true });
    await expect(client.vendors.create({ name: 'ACME' }, { onWrite })).rejects.toMatchObject({ writeId: 'w1' });
    expect(writes).toEqual([]);
  });
});

describe('waiting for a write', () => {
  it('returns the write record once it has succeeded', async () => {
    const server = await answering(running, unsynced);
    await expect(testClient(server.url).client.writes.wait('w1')).resolves.toMatchObject({ status: 'succeeded' });
  });

  it('can be aborted', async () => {
    const server = await answering(running);
    const stop = new AbortController();
    const { client } = testClient(server.url, {
      delay: async (_, signal) => {
        stop.abort(new Error('the user left'));
        signal?.throwIfAborted();
      },
    });
    await expect(client.writes.wait('w1', { signal: stop.signal })).rejects.toThrow('the user left');
  });

  it('fails if there is no such write', async () => {
    const server = await answering(failure(404, 'SERVICE_NOT_FOUND'));
    await expect(testClient(server.url).client.writes.wait('w1')).rejects.toMatchObject({ status: 404 });
  });
});
