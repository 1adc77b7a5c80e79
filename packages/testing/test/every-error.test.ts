import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { platformOf } from '@unified/connectors';
import { type ErrorCode, entities, errorTable } from '@unified/contract';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type Fault, type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { expireLogs, refreshStatistics, saveRecords, storeContent } from '@unified/store';
import { type Sent, seed, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

/** The parts of a response that are checked. */
interface Refusal {
  readonly status: number;
  readonly body: { readonly code: string };
}
interface Body {
  readonly code: string;
  readonly writeId: string;
  readonly status: string;
  readonly data: readonly { readonly id: string; readonly writeId: string }[];
}

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';
/** Generous, because the machine may be busy. */
const SYSTEM_MS = 20_000;
const OUTCOME_MS = 100_000;
const CASE_MS = 120_000;
const DAY_MS = 86_400_000;
const WAIT = { Prefer: 'wait=30' };
const LATER = { Prefer: 'respond-async' };
const STRICT = { Prefer: 'handling=strict' };
const LIMBO = { 'Idempotency-Key': 'limbo' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** All systems, including a platform whose files are missing. */
const systemsOfAll: typeof systems = {
  ...systems,
  platformOf: (id) => (id === 'absent' ? platformOf(id) : systems.platformOf(id)),
};

let api: TestApi;
let busyApplication: string;
const closing: (() => Promise<unknown>)[] = [];
const faulty: FaultySystem[] = [];

beforeAll(async () => {
  const requestsPerMinute = (application: string) => (application === busyApplication ? 0 : 1_000_000);
  api = await startApi({ systems: systemsOfAll, policies: fastRetries, requestsPerMinute });
});
afterAll(async () => {
  await api.stop();
  for (const close of closing) await close();
});
afterEach(() => {
  // A queue that waits for its system would keep the worker busy forever.
  for (const { faults } of faulty.splice(0)) faults.read.length = 0;
});

const get = (path: string) => api.fetch<Body>(`/v4${path}`);
const post = (path: string, sent: Sent = {}) => api.fetch<Body>(`/v4${path}`, { method: 'POST', ...sent });

const callTool = (token: string, at = api) =>
  at.fetch<Body>('/v4/mcp/tools/create_vendor/execute', {
    ...{ method: 'POST', token, json: { platform: 'test', arguments: { body: { name: 'ACME' } } } },
  });
const forToken = (json: object) => api.fetch<Body>('/link/token', { method: 'POST', token: null, json });

/** A separate connection to a faulty system, because a waiting queue blocks the writes behind it. */
async function site() {
  const system = await startFaultySystem();
  closing.push(() => system.close());
  faulty.push(system);
  const { token } = await api.connect({ platform: 'faulty', settings: { url: system.url, timeoutMs: SYSTEM_MS } });
  const send = (method: string, path: string, json?: unknown, headers: Sent['headers'] = WAIT) =>
    api.fetch<Body>(`/v4${path}`, { method, token, headers, ...(json !== undefined && { json }) });
  return { system, send };
}

/** The outcome of a write, however long it takes: the write is sent with the same key until its outcome is known. */
function outcomeOf(send: Send, method: string, path: string, json?: unknown): Promise<Refusal> {
  const headers = { ...WAIT, 'Idempotency-Key': randomUUID() };
  const sent = async () => {
    const answer = await send(method, path, json, headers);
    if (answer.status === 202) throw new Error(`The write is still ${answer.body.status}.`);
    return answer;
  };
  return vi.waitFor(sent, { timeout: OUTCOME_MS });
}

/** A create with these faults. */
async function createWith(...faults: Fault[]): Promise<Refusal> {
  const { system, send } = await site();
  system.faults.write.push(...faults);
  return outcomeOf(send, 'POST', '/vendors', { name: 'ACME' });
}

/** A create with the same fault in every attempt. */
const createAlwaysWith = (fault: Fault) => createWith(...Array<Fault>(fastRetries.send.attempts).fill(fault));

type Send = Awaited<ReturnType<typeof site>>['send'];

/** Leaves a write at the head of the queue: it was sent, and its outcome cannot be determined. */
async function block(system: FaultySystem, send: Send) {
  system.faults.write.push('lost');
  system.faults.read.push(null, ...Array<Fault>(1_000).fill('away'));
  const { body } = await send('POST', '/vendors', { name: 'Limbo' }, { ...LATER, ...LIMBO });
  await expect.poll(async () => (await send('GET', `/writes/${body.writeId}`)).body.status).toBe('unknown');
}

async function workOrder(send: Send): Promise<string> {
  await outcomeOf(send, 'POST', '/work-orders', { name: 'Replace bearing' });
  const [order] = (await send('GET', '/work-orders')).body.data;
  return order?.id ?? '';
}

/** Sends these bytes over a socket, waits for the response and reads it. */
async function overSocket(bytes: string, { baseUrl } = api): Promise<Refusal> {
  const { hostname, port } = new URL(baseUrl);
  const socket = openSocket(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  return parsed(await text(socket));
}

function parsed(answer: string): Refusal {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

async function withHeaders(headers: Record<string, string>): Promise<Refusal> {
  const request = rawRequest(`${api.baseUrl}/v4/vendors`, { headers });
  request.end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

/** Requests the bytes of a text file of ten letters, or of one that does not exist. */
async function fileWith(headers: Record<string, string>, isThere = true): Promise<Refusal> {
  const { scope } = api.connection;
  const bytes = (async function* () {
    yield Buffer.from('ten bytes!');
  })();
  const digest = isThere ? await storeContent(scope, bytes) : {};
  const values = { name: 'note.txt', contentType: 'text/plain', ...digest };
  const record = { _source: 'files', _idValue: randomUUID(), values, references: {} };
  const { ids } = await saveRecords(scope, entities.Attachment, [record]);
  return api.fetch<Body>(`/v4/attachments/${ids[0]}`, { headers });
}

/** A request for every code that served surfaces return. */
const cases: Partial<Record<ErrorCode, () => Promise<Refusal>>> = {
  SERVICE_MALFORMED_REQUEST: () => overSocket('HELLO\r\n\r\n'),
  SERVICE_INVALID_JSON: () => post('/vendors', { headers: JSON_TYPE, text: '{"name":' }),
  SERVICE_INVALID_ENCODING: () => post('/vendors', { headers: JSON_TYPE, text: '{"name":"\\ud800"}' }),
  SERVICE_INVALID_PARAMETER: () => get('/vendors?per_page=0'),
  SERVICE_INVALID_ID: () => get('/vendors/1042'),
  SERVICE_INVALID_IDEMPOTENCY_KEY: () =>
    post('/vendors', { headers: { 'Idempotency-Key': 'k'.repeat(256) }, json: { name: 'ACME' } }),
  SERVICE_INVALID_FILTER: () => get('/vendors?filter[colour]=red'),
  SERVICE_INVALID_SORT: () => get('/vendors?sort=colour'),
  SERVICE_INVALID_EXPAND: () => get('/vendors?expand=name'),
  SERVICE_INVALID_FIELDS: () => get('/vendors?fields=colour'),
  SERVICE_INVALID_CURSOR: () => get('/vendors?cursor=nonsense'),
  SERVICE_RESPONSE_TOO_LARGE: async () => {
    const modest = await startApi({ entities: { Vendor: entities.Vendor }, largestResponse: 1_000 });
    closing.push(() => modest.stop());
    const vendors = ['1', '2'].map((_idValue) => ({
      _source: 'v',
      _idValue,
      values: { name: 'ACME' },
      references: {},
    }));
    await saveRecords(modest.connection.scope, entities.Vendor, vendors);
    return modest.fetch<Body>('/v4/vendors');
  },
  SERVICE_BODY_REQUIRED: () => post('/vendors'),
  SERVICE_INVALID_BODY: () => post('/vendors', { json: { name: 'ACME', colour: 'red' } }),
  SERVICE_INVALID_GRANT: () => forToken({ grant_type: 'password' }),
  SERVICE_INVALID_CLIENT: () => forToken({ grant_type: 'client_credentials', client_id: UNKNOWN, client_secret: 'x' }),
  SERVICE_READ_ONLY_FIELD: () => post('/vendors', { json: { name: 'ACME', _createdAt: '2026-11-20T08:00:00Z' } }),
  SERVICE_UNAUTHORIZED: () => api.fetch<Body>('/v4/vendors', { token: null }),
  SERVICE_TOKEN_EXPIRED: async () =>
    api.fetch<Body>('/v4/vendors', { token: await api.connection.issueToken({ expiresAt: '2020-01-01T00:00:00Z' }) }),
  SERVICE_PAYMENT_REQUIRED: () => createWith('bill'),
  SERVICE_CONNECTION_INACTIVE: async () => {
    const { token, deactivate } = await api.connect();
    await deactivate();
    return api.fetch<Body>('/v4/vendors', { token });
  },
  SERVICE_FORBIDDEN: async () =>
    api.fetch<Body>('/v4/vendors', { token: await api.connection.issueToken({ access: [{ entity: 'Site' }] }) }),
  SERVICE_SYSTEM_FORBIDDEN: () => createWith('forbidden'),
  SERVICE_NOT_FOUND: () => get(`/vendors/${UNKNOWN}`),
  SERVICE_CONTENT_NOT_FOUND: () => fileWith({ Accept: 'text/plain' }, false),
  SERVICE_METHOD_NOT_ALLOWED: () => api.fetch<Body>('/v4/vendors', { method: 'PUT' }),
  SERVICE_NOT_SUPPORTED: async () => (await site()).send('POST', '/sites', { name: 'Plant', code: 'P1' }),
  SERVICE_NOT_ACCEPTABLE: () => fileWith({ Accept: 'image/*' }),
  SERVICE_REQUEST_TIMEOUT: async () => {
    // On the other server, such a short timeout would refuse requests on a busy machine.
    const impatient = await startApi({ entities: { Vendor: entities.Vendor }, requestTimeoutMs: 1_000 });
    closing.push(() => impatient.stop());
    return overSocket('POST /v4/vendors HTTP/1.1\r\nHost: x\r\n', impatient);
  },
  SERVICE_INVALID_TRANSITION: async () => {
    const { send } = await site();
    const start = `/work-orders/${await workOrder(send)}/actions/start`;
    await outcomeOf(send, 'POST', start);
    return send('POST', start);
  },
  SERVICE_WRITE_STATE: async () => {
    const { send } = await site();
    await outcomeOf(send, 'POST', '/vendors', { name: 'ACME' });
    const [done] = (await send('GET', '/writes')).body.data;
    return send('POST', `/writes/${done?.writeId}/actions/cancel`);
  },
  SERVICE_WRITE_CANCELLED: async () => {
    const { system, send } = await site();
    await block(system, send);
    const key = { 'Idempotency-Key': 'regretted' };
    const { body } = await send('POST', '/vendors', { name: 'Regretted' }, { ...key, ...LATER });
    await send('POST', `/writes/${body.writeId}/actions/cancel`);
    return send('POST', '/vendors', { name: 'Regretted' }, { ...key, ...WAIT });
  },
  SERVICE_NOT_REVERSIBLE: async () => {
    const { send } = await site();
    await outcomeOf(send, 'POST', `/work-orders/${await workOrder(send)}/actions/start`);
    const [action] = (await send('GET', '/writes')).body.data;
    return send('POST', `/writes/${action?.writeId}/actions/compensate`);
  },
  SERVICE_RECORD_DELETED: async () => {
    const { send } = await site();
    const path = `/work-orders/${await workOrder(send)}`;
    await outcomeOf(send, 'DELETE', path);
    return send('PATCH', path, { name: 'Too late' });
  },
  SERVICE_RECORD_IN_USE: async () => {
    const { system, send } = await site();
    const id = await workOrder(send);
    system.faults.write.push('held');
    return outcomeOf(send, 'DELETE', `/work-orders/${id}`);
  },
  SERVICE_DUPLICATE: () => createWith('taken'),
  SERVICE_ALREADY_EXISTS: async () => {
    const { token } = await api.signIn();
    const sent = { token, method: 'POST', json: { name: 'Twin', email: 'twin@northwind.example' } };
    await api.fetch('/v4/clients', sent);
    return api.fetch<Body>('/v4/clients', sent);
  },
  SERVICE_MAPPING_CONFLICT: async () => {
    const { applicationId, connectionId } = api.connection;
    const { token } = await api.signIn(applicationId);
    const path = `/v4/connections/${connectionId}/data-mappings`;
    const json = { entity: 'Vendor', cardinality: 'one_to_one' };
    const { body } = await api.fetch<{ data: { id: string } }>(path, { token, method: 'POST', json });
    const entries = ['A', 'B'].map((externalValue) => ({ serviceId: UNKNOWN, externalValue }));
    return api.fetch<Body>(`${path}/${body.data.id}/entries`, { token, method: 'PUT', json: { entries } });
  },
  SERVICE_CONFLICT: () => createAlwaysWith('clash'),
  SERVICE_GONE: async () => {
    const later = await startApi({ now: () => Date.parse('2026-12-01T00:00:00Z') });
    closing.push(() => later.stop());
    return later.fetch<Body>('/api/system/platforms');
  },
  SERVICE_CURSOR_EXPIRED: async () => {
    const { scope, token } = await api.connect();
    const record = { _source: 'v', _idValue: '1', values: { name: 'ACME' }, references: {} };
    await saveRecords(scope, entities.Vendor, [record]);
    await expireLogs(api.store, Date.now() + 400 * DAY_MS);
    return api.fetch<Body>('/v4/changes?cursor=0', { token });
  },
  SERVICE_INVALID_QUERY: () => post('/query', { json: { statement: 'select nmae from vendors' } }),
  SERVICE_QUERY_TOO_EXPENSIVE: async () => {
    const { scope, token } = await api.connect();
    await seed(scope);
    await refreshStatistics(api.store);
    const everyPair = Array.from({ length: 16 }, (_, at) => `vendors v${at}`).join(', ');
    const json = { statement: `select count(*) from ${everyPair}` };
    return api.fetch<Body>('/v4/query', { method: 'POST', token, json });
  },
  SERVICE_PRECONDITION_FAILED: async () => {
    const { send } = await site();
    const path = `/work-orders/${await workOrder(send)}`;
    return send('PATCH', path, { name: 'Outdated' }, { ...WAIT, 'If-Match': '"outdated"' });
  },
  SERVICE_BODY_TOO_LARGE: () => post('/vendors', { json: { name: 'x'.repeat(1_100_000) } }),
  SERVICE_BATCH_TOO_LARGE: () => {
    const reading = { meter: { code: 'M-1' }, value: 1, readAt: '2026-11-20T08:00:00Z' };
    return post('/meter-readings/batch', { json: { items: Array(101).fill(reading) } });
  },
  SERVICE_URI_TOO_LONG: () => get(`/vendors?sort=${'x'.repeat(16_400)}`),
  SERVICE_UNSUPPORTED_MEDIA_TYPE: () => post('/vendors', { headers: { 'Content-Type': 'text/plain' }, text: 'ACME' }),
  SERVICE_RANGE_NOT_SATISFIABLE: () => fileWith({ Accept: 'text/plain', Range: 'bytes=10-' }),
  SERVICE_EXPECTATION_FAILED: () => withHeaders({ Expect: 'the-impossible' }),
  SERVICE_IDEMPOTENCY_MISMATCH: async () => {
    const { send } = await site();
    const key = { ...LATER, 'Idempotency-Key': 'two-bodies' };
    await send('POST', '/vendors', { name: 'One' }, key);
    return send('POST', '/vendors', { name: 'Other' }, key);
  },
  SERVICE_UNRESOLVED_REFERENCE: async () =>
    outcomeOf((await site()).send, 'POST', '/vendors', { name: 'ACME', currency: { _displayValue: 'Groat' } }),
  SERVICE_FIELD_NOT_SUPPORTED: async () =>
    (await site()).send('POST', '/vendors', { name: 'ACME', website: 'https://acme.example' }, STRICT),
  SERVICE_AMBIGUOUS_REFERENCE: async () => {
    const { send } = await site();
    for (const code of ['USD', 'CAD'])
      await outcomeOf(send, 'POST', '/currencies', { name: 'Dollar', code, isoCode: code });
    return outcomeOf(send, 'POST', '/vendors', { name: 'ACME', currency: { _displayValue: 'Dollar' } });
  },
  SERVICE_REJECTED: () => createWith('no'),
  SERVICE_RATE_LIMITED: async () => {
    const { token, applicationId } = await api.connect();
    busyApplication = applicationId;
    return api.fetch<Body>('/v4/vendors', { token });
  },
  SERVICE_HEADERS_TOO_LARGE: () => withHeaders({ Cookie: 'x'.repeat(40_000) }),
  SERVICE_TOOL_DENIED: async () => {
    const { token } = await api.mcpUser({ preset: 'read_only', settings: {} });
    return callTool(token);
  },
  SERVICE_MCP_QUOTA_EXCEEDED: async () => {
    const limited = await startApi({ mcpCallsPerMonth: 0 });
    closing.push(() => limited.stop());
    const { token } = await limited.mcpUser({ settings: {} });
    return callTool(token, limited);
  },
  SERVICE_INTERNAL: async () => {
    // The table is missing, which is an internal error.
    const broken = await startApi({ entities: { Vendor: entities.Vendor } });
    closing.push(() => broken.stop());
    return broken.fetch<Body>('/v4/units');
  },
  SERVICE_SYSTEM_UNAUTHORIZED: () => createAlwaysWith('locked'),
  SERVICE_SYSTEM_UNAVAILABLE: () => createAlwaysWith('away'),
  SERVICE_SYSTEM_RATE_LIMITED: () => createAlwaysWith('busy'),
  SERVICE_SYSTEM_INVALID: async () => {
    const { system, send } = await site();
    system.onCreate = (row) => ({ ...row, kind: 'something else' });
    return outcomeOf(send, 'POST', '/vendors', { name: 'ACME' });
  },
  SERVICE_OUTCOME_UNKNOWN: async () => {
    const { system, send } = await site();
    await block(system, send);
    return send('POST', '/vendors', { name: 'Limbo' }, { Prefer: 'wait=1', ...LIMBO });
  },
  SERVICE_PLATFORM_BROKEN: async () => {
    const { token } = await api.connect({ platform: 'absent' });
    return api.fetch<Body>('/v4/capabilities', { token });
  },
  SERVICE_UNAVAILABLE: async () => {
    const lost = await startApi({ entities: { Vendor: entities.Vendor } });
    await lost.breakDown();
    closing.push(() => lost.stop());
    return lost.fetch<Body>('/v4/system/health', { token: null });
  },
};

test('every code of the table has a request that returns it', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(errorTable).sort());
});

describe.each(Object.entries(cases))('%s', (code, provoke) => {
  test(
    'is returned with the status in the table',
    async () => {
      const { status, body } = await provoke();
      expect([status, body.code]).toEqual([errorTable[code as ErrorCode].status, code]);
    },
    CASE_MS,
  );
});
