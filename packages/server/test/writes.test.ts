import { operations } from '@unified/contract';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type Fault, type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { type Sent, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Body {
  readonly [name: string]: unknown;
  readonly data: { readonly id: string; readonly name: string; readonly [field: string]: unknown };
  readonly writeId: string;
  readonly code: string;
  readonly details: readonly { readonly writeId?: string }[];
}

let system: FaultySystem;
let api: TestApi;
let token: string;
const started: FaultySystem[] = [];

beforeAll(async () => {
  api = await startApi({ systems, policies: fastRetries });
});
beforeEach(async () => {
  // A separate system and queue: a write that an earlier test left in progress neither gets the faults of this one nor
  // delays its writes.
  system = await startFaultySystem();
  started.push(system);
  ({ token } = await api.connect({ platform: 'faulty', settings: { url: system.url } }));
});
afterEach(() => {
  system.faults.write.length = 0;
  system.faults.read.length = 0;
});
afterAll(async () => {
  await api.stop();
  await Promise.all(started.map((each) => each.close()));
});

/** Writes use the maximum wait by default, because the machine may be busy. */
const WAIT = { Prefer: 'wait=30' };
const send = (method: string, path: string, json?: unknown, headers: Sent['headers'] = WAIT) =>
  api.fetch<Body>(`/v4${path}`, { method, token, headers, ...(json !== undefined && { json }) });
const create = async (name: string) => (await send('POST', '/vendors', { name })).body.data.id;
const orderFrom = async () => (await send('POST', '/work-orders', { name: 'Replace bearing' })).body.data.id;
/** Waits until a write is in a state, however long a busy machine takes. */
const becomes = (writeId: string, status: string) =>
  expect.poll(async () => (await send('GET', `/writes/${writeId}`)).body.status).toBe(status);
const follow = async (location: string | null) =>
  (await send('GET', (location ?? '').replace('/v4', ''), undefined)).body;

describe('a create', () => {
  it('returns the record as it is in the connected system', async () => {
    const { status, body } = await send('POST', '/vendors', { name: 'ACME', terms: 'Net 30' });
    expect([status, body.data.name, body.data.terms]).toEqual([201, 'ACME', 'Net 30']);
    expect(system.rows.get(Number(body.data._idValue))).toMatchObject({ name: 'ACME', terms: 'Net 30' });
    expect((await send('GET', `/vendors/${body.data.id}`)).body).toEqual(body);
  });

  it('returns its first result if the key is repeated, and is sent once', async () => {
    const key = { ...WAIT, 'Idempotency-Key': 'create-once' };
    const first = await send('POST', '/vendors', { name: 'Once' }, key);
    const again = await send('POST', '/vendors', { name: 'Once' }, { ...WAIT, 'Idempotency-Key': '"create-once"' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(system.log.filter((line) => line === 'create Once')).toHaveLength(1);
  });

  it('is refused when the key was used with another body', async () => {
    const key = { 'Idempotency-Key': 'two-bodies' };
    await send('POST', '/vendors', { name: 'One' }, key);
    expect(await send('POST', '/vendors', { name: 'Other' }, key)).toMatchObject({
      status: 422,
      body: { code: 'SERVICE_IDEMPOTENCY_MISMATCH' },
    });
  });

  it('is queued once by many concurrent requests with one key', async () => {
    const key = { ...WAIT, 'Idempotency-Key': 'crowd' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', '/vendors', { name: 'Crowd' }, key)),
    );
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(system.log.filter((line) => line === 'create Crowd')).toHaveLength(1);
  });

  it('returns the write record immediately if the client does not want to wait', async () => {
    const { status, headers, body } = await send('POST', '/vendors', { name: 'Later' }, { Prefer: 'respond-async' });
    expect([status, headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(headers.get('location')).toBe(`/v4/writes/${body.writeId}`);
    expect(await follow(headers.get('location'))).toMatchObject({
      writeId: body.writeId,
      operation: 'createVendor',
      op: 'create',
    });
  });

  it('returns its steps in a dry run, and does nothing', async () => {
    const { status, headers, body } = await send('POST', '/vendors?dryRun=true', { name: 'Dry' });
    expect([status, body.status, headers.has('location')]).toEqual([202, 'planned', false]);
    expect((await send('GET', '/writes')).body.data).toEqual([]);
    expect(system.log).not.toContain('create Dry');
  });

  it('returns the message of the connected system when that refuses it', async () => {
    system.faults.write.push('no');
    const { status, headers, body } = await send('POST', '/vendors', { name: 'Ugly' });
    expect([status, body.code, body.message]).toEqual([422, 'SERVICE_REJECTED', 'Name is not to our taste']);
    expect(await follow(headers.get('location'))).toMatchObject({
      writeId: body.details[0]?.writeId,
      status: 'failed',
      error: { code: 'SERVICE_REJECTED', status: 422, message: 'Name is not to our taste' },
    });
  });

  it.each([
    ['away', 503, 'SERVICE_SYSTEM_UNAVAILABLE'],
    ['busy', 503, 'SERVICE_SYSTEM_RATE_LIMITED'],
    ['locked', 424, 'SERVICE_SYSTEM_UNAUTHORIZED'],
  ] as const)(
    'that failed because the system was %s returns %i, and is retried with the same key',
    async (fault, ...failure) => {
      const key = { ...WAIT, 'Idempotency-Key': `patient-${fault}` };
      system.faults.write.push(...Array<Fault>(fastRetries.send.attempts).fill(fault));
      const failed = await send('POST', '/vendors', { name: 'Patient' }, key);
      expect([failed.status, failed.body.code]).toEqual(failure);
      const again = await send('POST', '/vendors', { name: 'Patient' }, key);
      expect([again.status, again.body.data.name]).toEqual([201, 'Patient']);
      expect(again.headers.get('write-id')).toBe(failed.headers.get('write-id'));
      expect([...system.rows.values()].filter(({ name }) => name === 'Patient')).toHaveLength(1);
    },
  );

  it('that the system refused is not retried with the same key', async () => {
    const key = { ...WAIT, 'Idempotency-Key': 'refused' };
    system.faults.write.push('no');
    await send('POST', '/vendors', { name: 'Ugly' }, key);
    expect(await send('POST', '/vendors', { name: 'Ugly' }, key)).toMatchObject({ status: 422 });
  });

  it('returns its first result for its key after the record has changed, and after it was deleted', async () => {
    const key = { ...WAIT, 'Idempotency-Key': 'first-result' };
    const first = await send('POST', '/work-orders', { name: 'Oil pump' }, key);
    const path = `/work-orders/${first.body.data.id}`;
    await send('PATCH', path, { name: 'Oil both pumps' });
    const changed = await send('POST', '/work-orders', { name: 'Oil pump' }, key);
    await send('DELETE', path);
    const deleted = await send('POST', '/work-orders', { name: 'Oil pump' }, key);
    expect([changed.status, deleted.status]).toEqual([200, 200]);
    expect([changed.body, deleted.body]).toEqual([first.body, first.body]);
  });

  it('names the address of the record with typed fields in its write record', async () => {
    const { headers, body } = await send('POST', '/work-orders', { name: 'Oil pump' });
    const write = (await send('GET', `/writes/${headers.get('write-id')}`)).body as unknown as {
      result: { href: string };
    };
    const record = await api.fetch<Body>(new URL(write.result.href).pathname, { token });
    expect(record.body).toEqual(body);
  });

  it('returns 402 when the connected system requires a payment', async () => {
    system.faults.write.push('bill');
    expect(await send('POST', '/vendors', { name: 'Dear' })).toMatchObject({
      status: 402,
      body: { code: 'SERVICE_PAYMENT_REQUIRED' },
    });
  });

  it('succeeds if only the response of the connected system was lost', async () => {
    system.faults.write.push('lost');
    const { status, body } = await send('POST', '/vendors', { name: 'Lost' });
    expect([status, body.data.name]).toEqual([201, 'Lost']);
    expect(system.log.filter((line) => line === 'create Lost')).toHaveLength(1);
  });

  it('returns 502 while its outcome is unknown', async () => {
    system.faults.write.push('lost');
    system.faults.read.push(null, ...Array<'away'>(100).fill('away'));
    const key = { 'Idempotency-Key': 'limbo' };
    const accepted = await send('POST', '/vendors', { name: 'Limbo' }, { ...key, Prefer: 'respond-async' });
    await becomes(accepted.body.writeId, 'unknown');
    const { status, headers, body } = await send('POST', '/vendors', { name: 'Limbo' }, { ...key, Prefer: 'wait=1' });
    expect([status, body.code]).toEqual([502, 'SERVICE_OUTCOME_UNKNOWN']);
    expect(headers.get('location')).toBe(`/v4/writes/${body.details[0]?.writeId}`);
  });
});

describe('the header Write-Id', () => {
  /** The response, and the newest write of the connection. */
  const written = async (...sent: Parameters<typeof send>) => {
    const { status, headers, body } = await send(...sent);
    const { data } = (await send('GET', '/writes?per_page=1')).body as unknown as { data: { writeId: string }[] };
    return { status, body, named: headers.get('write-id'), newest: data[0]?.writeId };
  };
  const expectNamed = ({ named, newest }: Awaited<ReturnType<typeof written>>) => {
    expect(newest).toEqual(expect.any(String));
    expect(named).toBe(newest);
  };

  it('names the write record of a create, a change and a delete that are done', async () => {
    const created = await written('POST', '/work-orders', { name: 'Oil pump' });
    const path = `/work-orders/${created.body.data.id}`;
    const changed = await written('PATCH', path, { name: 'Oil both pumps' });
    const deleted = await written('DELETE', path);
    expect([created.status, changed.status, deleted.status]).toEqual([201, 200, 204]);
    for (const answer of [created, changed, deleted]) expectNamed(answer);
  });

  it('is that of a write or action whose outcome is not awaited', async () => {
    const later = { Prefer: 'respond-async' };
    const queued = await written('POST', '/vendors', { name: 'Later' }, later);
    expect([queued.status, queued.named]).toEqual([202, queued.body.writeId]);
    const id = await orderFrom();
    const started = await written('POST', `/work-orders/${id}/actions/start`, {}, later);
    expect([started.status, started.named]).toEqual([202, started.body.writeId]);
  });

  it('names the first write of a key when the key is repeated', async () => {
    const key = { 'Idempotency-Key': 'named-once' };
    const first = await send('POST', '/vendors', { name: 'Once' }, key);
    const again = await written('POST', '/vendors', { name: 'Once' }, key);
    expect([again.status, again.named]).toEqual([200, first.headers.get('write-id')]);
    expectNamed(again);
  });

  it('names that of a write which the connected system refuses', async () => {
    system.faults.write.push('no');
    const refused = await written('POST', '/vendors', { name: 'Ugly' });
    expect(refused.status).toBe(422);
    expectNamed(refused);
  });

  it('names the write that reverses another', async () => {
    const { headers } = await send('POST', '/vendors', { name: 'Regretted' });
    const back = await written('POST', `/writes/${headers.get('write-id')}/actions/compensate`);
    expect(back.named).toBe(back.body.writeId);
    expectNamed(back);
  });

  it('is absent if nothing was queued: for immediate refusals, dry runs and reads', async () => {
    const { body } = await send('POST', '/vendors', { name: 'There' }, { Prefer: 'wait=30' });
    const answers = [
      await send('POST', '/vendors', { name: '' }),
      await send('POST', '/vendors?dryRun=true', { name: 'Dry' }),
      await send('GET', `/vendors/${body.data.id}`),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('write-id')])).toEqual([
      [400, null],
      [202, null],
      [200, null],
    ]);
  });
});

describe('the header Write-Warnings', () => {
  const warned = async (method: string, path: string, json: unknown, headers?: Sent['headers']) => {
    const answer = await send(method, path, json, headers);
    const { warnings } = (await send('GET', `/writes/${answer.headers.get('write-id')}`)).body;
    const fields = (warnings as { field: string }[]).map(({ field }) => field);
    return { status: answer.status, count: answer.headers.get('write-warnings'), fields };
  };

  it('counts values that the connected system does not support or stores differently', async () => {
    system.onCreate = (row) => ({ ...row, terms: 'Net 14' });
    const vendor = { name: 'ACME', terms: 'Net 30', website: 'https://acme.example' };
    const key = { 'Idempotency-Key': 'warned' };
    const expected = { count: '2', fields: expect.arrayContaining(['terms', 'website']) };
    expect(await warned('POST', '/vendors', vendor, key)).toEqual({ status: 201, ...expected });
    expect(await warned('POST', '/vendors', vendor, key)).toEqual({ status: 200, ...expected });
  });

  it('is also present if the write fails', async () => {
    system.faults.write.push('no');
    const vendor = { name: 'Ugly', website: 'https://acme.example' };
    expect(await warned('POST', '/vendors', vendor)).toEqual({ status: 422, count: '1', fields: ['website'] });
  });

  it('is absent if everything was stored as sent', async () => {
    const id = await create('ACME');
    expect(await warned('PATCH', `/vendors/${id}`, { terms: 'Net 30' })).toEqual({
      ...{ status: 200, count: null, fields: [] },
    });
  });
});

describe('a change', () => {
  it('sets the fields of the body and returns the record', async () => {
    const id = await create('Before');
    const { status, body } = await send('PATCH', `/vendors/${id}`, { name: 'After' });
    expect([status, body.data.name]).toEqual([200, 'After']);
  });

  it('clears with PUT what the body omits', async () => {
    const { body } = await send('POST', '/vendors', { name: 'Full', terms: 'Net 30' });
    const replaced = await send('PUT', `/vendors/${body.data.id}`, { name: 'Bare' });
    expect(replaced.body.data).toMatchObject({ name: 'Bare', terms: '' });
  });

  it('is refused for a record that does not exist or was deleted, before anything is queued', async () => {
    const unknown = await send('PATCH', '/vendors/0199d2a4-0000-7000-8000-000000000000', { name: 'X' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
    const id = await orderFrom();
    expect((await send('DELETE', `/work-orders/${id}`)).status).toBe(204);
    const deleted = await send('PATCH', `/work-orders/${id}`, { name: 'X' });
    expect([deleted.status, deleted.body.code]).toEqual([409, 'SERVICE_RECORD_DELETED']);
    const { body } = await send('GET', '/writes?per_page=100');
    expect((body.data as unknown as { operation: string }[]).map(({ operation }) => operation)).toEqual([
      'deleteWorkOrder',
      'createWorkOrder',
    ]);
  });

  it('of another connection is not found', async () => {
    const id = await create('Mine');
    const other = await api.connect({ platform: 'faulty', settings: { url: system.url } });
    const { status } = await api.fetch(`/v4/vendors/${id}`, {
      method: 'PATCH',
      json: { name: 'Theirs' },
      token: other.token,
    });
    expect(status).toBe(404);
  });

  it('with fields or values that the system does not support is refused if the client prefers strict handling', async () => {
    const strict = { Prefer: 'handling=strict, wait=30' };
    const vendor = { name: 'ACME', website: 'https://acme.example', terms: 'not in the table' };
    const refused = await send('POST', '/vendors', vendor, strict);
    expect([refused.status, refused.body.code]).toEqual([422, 'SERVICE_FIELD_NOT_SUPPORTED']);
    const { writeFields } = (await send('GET', '/capabilities/Vendor')).body.data;
    expect(refused.body.details).toEqual(
      expect.arrayContaining([
        { path: 'body/website', field: 'website', message: expect.any(String), allowed: writeFields },
        expect.objectContaining({ path: 'body/terms', message: expect.stringContaining('not in the table') }),
      ]),
    );
    expect(refused.headers.has('write-id')).toBe(false);
    expect(system.rows.size).toBe(0);
    const reference = { name: 'ACME', currency: { _displayValue: 'Groat' }, website: 'https://acme.example' };
    expect((await send('POST', '/vendors', reference, strict)).body.code).toBe('SERVICE_FIELD_NOT_SUPPORTED');
    const accepted = await send('POST', '/vendors', { name: 'ACME', terms: 'Net 30' }, strict);
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([201, 'handling=strict, wait=30']);
  });

  it('is refused by a system that does not support it', async () => {
    expect(await send('POST', '/sites', { name: 'Plant', code: 'P1' })).toMatchObject({
      status: 405,
      body: { code: 'SERVICE_NOT_SUPPORTED', details: [{ entity: 'Site', operations: [], actions: [] }] },
    });
  });
});

describe('an action', () => {
  it('is queued and returns the write record immediately', async () => {
    const id = await orderFrom();
    const { status, headers, body } = await send('POST', `/work-orders/${id}/actions/start`, undefined, {});
    expect([status, body.op, body.targetId]).toEqual([202, 'action', id]);
    expect(headers.get('location')).toBe(`/v4/writes/${body.writeId}`);
  });

  it('returns the finished write record when the client waits', async () => {
    const id = await orderFrom();
    const { status, headers, body } = await send('POST', `/work-orders/${id}/actions/start`, {}, WAIT);
    expect([status, body.status, headers.get('preference-applied')]).toEqual([200, 'succeeded', 'wait=30']);
    expect((await send('GET', `/work-orders/${id}`)).body.data).toMatchObject({ statusCategory: 'in_progress' });
  });

  it('is refused if the state of the record does not allow it, with the allowed actions', async () => {
    const id = await orderFrom();
    await send('POST', `/work-orders/${id}/actions/start`, {});
    const { status, body } = await send('POST', `/work-orders/${id}/actions/start`);
    expect([status, body.code]).toEqual([409, 'SERVICE_INVALID_TRANSITION']);
    expect(body.details).toEqual([{ statusCategory: 'in_progress', allowedActions: ['assign', 'complete'] }]);
  });

  it('if refused, lists only actions that are in the capabilities and would be accepted', async () => {
    const id = await orderFrom();
    await send('POST', `/work-orders/${id}/actions/start`, {});
    const { body } = await send('POST', `/work-orders/${id}/actions/start`);
    const [{ allowedActions = [] } = {}] = body.details as { allowedActions?: string[] }[];
    const { data } = (await send('GET', '/capabilities/WorkOrder')).body;
    expect(data.actions).toEqual(expect.arrayContaining(allowedActions));
    for (const action of allowedActions) {
      const body = action === 'assign' ? { team: { _displayValue: 'North' } } : {};
      expect((await send('POST', `/work-orders/${id}/actions/${action}?dryRun=true`, body)).status).toBe(202);
    }
  });

  it('that the platform does not have is refused as unsupported in any state of the record', async () => {
    const id = await orderFrom();
    for (const headers of [WAIT, { ...WAIT, 'Idempotency-Key': 'lacking' }]) {
      const { status, body } = await send('POST', `/work-orders/${id}/actions/resume`, {}, headers);
      expect([status, body.code]).toEqual([405, 'SERVICE_NOT_SUPPORTED']);
    }
  });

  it('that the connected system refuses leaves the record in the state that the system has', async () => {
    const id = await orderFrom();
    const { _idValue } = (await send('GET', `/work-orders/${id}`)).body.data;
    system.put({ id: Number(_idValue), state: 'complete' });
    system.faults.write.push('no');
    const { status, body } = await send('POST', `/work-orders/${id}/actions/start`, {}, WAIT);
    expect([status, body.code]).toEqual([422, 'SERVICE_REJECTED']);
    expect((await send('GET', `/work-orders/${id}`)).body.data).toMatchObject({ statusCategory: 'completed' });
    expect((await send('POST', `/work-orders/${id}/actions/start`, {})).body.code).toBe('SERVICE_INVALID_TRANSITION');
  });

  it('returns the first write record for a repeated key, although the state would no longer allow it', async () => {
    const id = await orderFrom();
    const key = { ...WAIT, 'Idempotency-Key': 'start' };
    const first = await send('POST', `/work-orders/${id}/actions/start`, {}, key);
    const again = await send('POST', `/work-orders/${id}/actions/start`, {}, key);
    expect([again.status, again.body.writeId, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.body.writeId,
      'true',
    ]);
  });

  it('can be requested at the address with the version segment twice', async () => {
    const id = await orderFrom();
    const { status } = await api.fetch(`/v4/v4/work-orders/${id}/actions/start`, { method: 'POST', token });
    expect(status).toBe(202);
  });
});

describe('a write record', () => {
  it('is found under its id and its legacy address, but only by its connection', async () => {
    const { body } = await send('POST', '/vendors', { name: 'Traced' }, { Prefer: 'respond-async' });
    for (const path of [`/writes/${body.writeId}`, `/work-orders/writes/${body.writeId}`]) {
      expect((await send('GET', path)).body.writeId).toBe(body.writeId);
    }
    expect(await api.fetch(`/v4/writes/${body.writeId}`)).toMatchObject({ status: 404 });
  });

  it('is listed newest first, by status, entity and target', async () => {
    const id = await create('Listed');
    await send('PATCH', `/vendors/${id}`, { name: 'Listed again' });
    const operationsOf = async (query: string) =>
      ((await send('GET', `/writes?${query}`)).body.data as unknown as { operation: string }[]).map(
        ({ operation }) => operation,
      );
    expect(await operationsOf('')).toEqual(['updateVendor', 'createVendor']);
    expect(await operationsOf(`targetId=${id}&status=succeeded&entity=Vendor`)).toEqual([
      'updateVendor',
      'createVendor',
    ]);
    expect(await operationsOf('entity=Currency')).toEqual([]);
    expect(await operationsOf('status=planned')).toEqual([]);
    const first = await send('GET', '/writes?per_page=1');
    const { next_cursor } = first.body.meta as { next_cursor: string };
    expect(await operationsOf(`per_page=1&cursor=${next_cursor}`)).toEqual(['createVendor']);
  });

  it('can be retried when it failed', async () => {
    system.faults.write.push('no');
    const failed = await send('POST', '/vendors', { name: 'Second chance' });
    const writeId = failed.body.details[0]?.writeId;
    expect((await send('POST', `/writes/${writeId}/actions/retry`)).status).toBe(202);
    const again = await send('POST', `/writes/${writeId}/actions/retry`);
    expect([again.status, again.body.code ?? '']).toEqual([409, 'SERVICE_WRITE_STATE']);
  });

  describe('is changed once per key', () => {
    const failed = async () => {
      system.faults.write.push('no');
      const { body } = await send('POST', '/vendors', { name: 'Refused' }, { Prefer: 'respond-async' });
      await becomes(body.writeId, 'failed');
      return body.writeId;
    };
    const succeeded = async () => {
      const id = await create('Made');
      return ((await send('GET', `/writes?targetId=${id}`)).body.data as unknown as { writeId: string }[])[0]?.writeId;
    };
    /** Its outcome cannot be known until the faults are removed. */
    const unknown = async () => {
      system.faults.write.push('lost');
      system.faults.read.push(null, ...Array<'away'>(1_000).fill('away'));
      const { body } = await send('POST', '/vendors', { name: 'Limbo' }, { Prefer: 'respond-async' });
      await becomes(body.writeId, 'unknown');
      return body.writeId;
    };
    const pending = async () => {
      await unknown();
      return (await send('POST', '/vendors', { name: 'Behind' }, { Prefer: 'respond-async' })).body.writeId;
    };

    it.each([
      { action: 'retry', prepare: failed, first: 202 },
      { action: 'compensate', prepare: succeeded, first: 202 },
      { action: 'verify', prepare: unknown, first: 202 },
      { action: 'cancel', prepare: pending, first: 200 },
    ])('$action', async ({ action, prepare, first }) => {
      const writeId = await prepare();
      const act = (key: string, name = action) =>
        send('POST', `/writes/${writeId}/actions/${name}`, undefined, { 'Idempotency-Key': key });
      const done = await act('once');
      const again = await act('once');
      const other = await act('once', action === 'cancel' ? 'retry' : 'cancel');
      expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([first, null]);
      expect([again.status, again.body.writeId, again.headers.get('idempotency-replayed')]).toEqual([
        200,
        done.body.writeId,
        'true',
      ]);
      expect([other.status, other.body.code]).toEqual([422, 'SERVICE_IDEMPOTENCY_MISMATCH']);
    });

    it('and a key whose request was refused may be used again', async () => {
      const writeId = await succeeded();
      const key = { 'Idempotency-Key': 'refused-first' };
      expect((await send('POST', `/writes/${writeId}/actions/retry`, undefined, key)).status).toBe(409);
      expect((await send('POST', `/writes/${writeId}/actions/compensate`, undefined, key)).status).toBe(202);
    });
  });

  it('can be reversed if it succeeded', async () => {
    const id = await create('Regretted');
    const { body } = await send('GET', `/writes?targetId=${id}`);
    const [created] = body.data as unknown as { writeId: string }[];
    const { status, headers } = await send('POST', `/writes/${created?.writeId}/actions/compensate`);
    expect([status, headers.get('location')]).toEqual([202, expect.stringMatching(/^\/v4\/writes\//)]);
    expect((await send('POST', `/writes/${created?.writeId}/actions/cancel`)).body.code).toBe('SERVICE_WRITE_STATE');
    expect((await send('POST', `/writes/${created?.writeId}/actions/verify`)).body.code).toBe('SERVICE_WRITE_STATE');
  });
});

it('every kind of conventional write has a test here or, for batches, with the whole company', () => {
  const kinds = new Set(operations.filter(({ method }) => method !== 'get').map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['action', 'create', 'createMany', 'delete', 'other', 'replace', 'update']);
});
