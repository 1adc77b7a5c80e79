import { type Sent, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}
interface Body {
  readonly data: Item & readonly Item[];
  readonly meta: { readonly next_cursor: string | null };
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';
const warehouse = { type: 'string', enum: ['HAM', 'MUC'], default: 'HAM' };

let api: TestApi;
let app: TestApplication;
let other: TestApplication;

beforeAll(async () => {
  api = await startApi();
  app = await api.signIn(api.connection.applicationId);
  other = await api.signIn();
});
afterAll(() => api.stop());

const send = (method: string, path: string, json?: unknown, sent: Sent & { token?: string } = {}) =>
  api.fetch<Body>(`/v4${path}`, { method, token: app.token, ...(json !== undefined && { json }), ...sent });
const get = (path: string) => send('GET', path);
const own = (rest: string) => `/connections/${api.connection.connectionId}${rest}`;
const save = (id: string, schema: object, title = 'Shipping') =>
  send('PUT', `/embed/settings-forms/${id}`, { title, schema });
const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ids = ({ body }: { body: Body }) => body.data.map(({ id }) => id);

describe('settings forms', () => {
  it('are saved, listed by name, replaced and deleted', async () => {
    const schema = form({ warehouse, express: { type: 'boolean', title: 'Express' } }, { required: ['warehouse'] });
    const { status, body } = await save('shipping', schema);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ id: 'shipping', title: 'Shipping', schema })]);
    await save('invoices', form({ days: { type: 'integer', minimum: 0, maximum: 90 } }));
    expect(ids(await get('/embed/settings-forms'))).toEqual(['invoices', 'shipping']);
    expect((await save('shipping', form({ warehouse }), 'Dispatch')).body.data.title).toBe('Dispatch');
    expect((await send('DELETE', '/embed/settings-forms/invoices')).status).toBe(204);
    expect((await send('DELETE', '/embed/settings-forms/invoices')).status).toBe(404);
    expect(ids(await get('/embed/settings-forms'))).toEqual(['shipping']);
  });

  it('keep the order of their fields', async () => {
    const names = ['zone', 'area', 'm2', 'B', 'a'];
    await save('ordered', form(Object.fromEntries(names.map((name) => [name, { type: 'string' }]))));
    const { data } = (await get('/embed/settings-forms')).body;
    const found = data.find(({ id }) => id === 'ordered')?.schema as { properties: object };
    expect(Object.keys(found.properties)).toEqual(names);
  });

  it('belong to one application', async () => {
    await save('private', form({ warehouse }));
    expect(ids(await send('GET', '/embed/settings-forms', undefined, { token: other.token }))).toEqual([]);
    const path = '/embed/settings-forms/private';
    expect((await send('DELETE', path, undefined, { token: other.token })).status).toBe(404);
    expect(ids(await get('/embed/settings-forms'))).toContain('private');
  });

  it.each<[string, object, string]>([
    ['a field without a type', form({ a: {} }), 'body/schema/properties/a/type'],
    ['an unknown type', form({ a: { type: 'array' } }), 'body/schema/properties/a/type'],
    [
      'a keyword that forms do not have',
      form({ a: { type: 'string', pattern: '(a+)+$' } }),
      'body/schema/properties/a',
    ],
    ['no field', form({}), 'body/schema/properties'],
    ['a name with a dot', form({ 'a.b': { type: 'string' } }), 'body/schema/properties/a.b'],
    [
      'a required field that does not exist',
      form({ a: { type: 'string' } }, { required: ['b'] }),
      'body/schema/required/0',
    ],
    ['a default of another type', form({ a: { type: 'integer', default: 1.5 } }), 'body/schema/properties/a/default'],
    [
      'a default that is not a choice',
      form({ a: { ...warehouse, default: 'BER' } }),
      'body/schema/properties/a/default',
    ],
    ['choices of a number', form({ a: { type: 'number', enum: ['1'] } }), 'body/schema/properties/a/enum'],
    ['a text with a minimum', form({ a: { type: 'string', minimum: 1 } }), 'body/schema/properties/a/minimum'],
    [
      'limits without a value',
      form({ a: { type: 'number', minimum: 2, maximum: 1 } }),
      'body/schema/properties/a/minimum',
    ],
  ])('cannot have %s', async (_, schema, path) => {
    const { status, body } = await save('wrong', schema);
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(JSON.stringify(body.details)).toContain(path);
  });
});

describe('the forms of a connection', () => {
  it('are set in their order, and lose a form that is deleted', async () => {
    for (const name of ['first', 'second', 'third']) await save(name, form({ warehouse }));
    expect((await get(own('/forms'))).body.data).toEqual({ forms: [] });
    const forms = ['third', 'first', 'second'];
    expect((await send('PUT', own('/forms'), { forms })).body.data).toEqual({ forms });
    await send('DELETE', '/embed/settings-forms/first');
    await save('first', form({ warehouse }));
    expect((await get(own('/forms'))).body.data).toEqual({ forms: ['third', 'second'] });
  });

  it('must exist in the application; otherwise nothing is changed', async () => {
    await save('returns', form({ warehouse }));
    await send('PUT', own('/forms'), { forms: ['returns'] });
    const { status, body } = await send('PUT', own('/forms'), { forms: ['returns', 'retruns'] });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(body.details).toEqual([expect.objectContaining({ path: 'body/forms/1', didYouMean: 'returns' })]);
    expect((await get(own('/forms'))).body.data).toEqual({ forms: ['returns'] });
    expect((await send('PUT', own('/forms'), { forms: ['returns', 'returns'] })).status).toBe(400);
  });
});

describe.each(['solutions', 'flow-folders'])('the %s of a connection', (path) => {
  const property = path === 'solutions' ? 'solutions' : 'folders';
  const parameter = path === 'solutions' ? 'solution' : 'flowFolder';

  it('are set and read, and select connections', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    const names = ['Invoice capture', 'b'];
    const set = await send('PUT', `/connections/${connectionId}/${path}`, { [property]: names });
    expect(set.body.data).toEqual({ [property]: names });
    expect((await get(`/connections/${connectionId}/${path}`)).body.data).toEqual({ [property]: names });
    expect(ids(await get(`/connections?${parameter}=Invoice%20capture`))).toEqual([connectionId]);
    expect(ids(await get(`/connections?${parameter}=b&status=inactive`))).toEqual([]);
    await send('PUT', `/connections/${connectionId}/${path}`, { [property]: [] });
    expect(ids(await get(`/connections?${parameter}=b`))).toEqual([]);
  });
});

describe.each(['forms', 'solutions', 'flow-folders'])('the %s', (path) => {
  const body = { [path === 'flow-folders' ? 'folders' : path]: [] };

  it.each(['another application', 'no', 'a deleted'])('of %s connection are not found', async (which) => {
    const { connectionId } = await api.connect({ applicationId: other.applicationId });
    const id = which === 'no' ? UNKNOWN : connectionId;
    const { token } = which === 'a deleted' ? other : app;
    if (which === 'a deleted') await send('DELETE', `/connections/${id}`, undefined, { token });
    expect((await send('GET', `/connections/${id}/${path}`, undefined, { token })).status).toBe(404);
    expect((await send('PUT', `/connections/${id}/${path}`, body, { token })).status).toBe(404);
  });
});

describe('questions of end users', () => {
  const ask = (subject: string, more: object = {}) =>
    send('POST', '/embed/support-requests', { subject, body: 'It never ends.', ...more });

  it('are created, listed in pages, newest first, and get another status', async () => {
    const connectionId = api.connection.connectionId;
    const first = (await ask('First')).body.data;
    const second = (await ask('Second', { connectionId })).body.data;
    expect([first, second]).toMatchObject([{ connectionId: null, status: 'open' }, { connectionId }]);
    const page = await get('/embed/support-requests?per_page=1');
    expect(ids(page)).toEqual([second.id]);
    expect(ids(await get(`/embed/support-requests?per_page=1&cursor=${page.body.meta.next_cursor}`))).toEqual([
      first.id,
    ]);
    const answered = await send('PATCH', `/embed/support-requests/${first.id}`, { status: 'answered' });
    expect(answered.body.data).toEqual({ ...first, status: 'answered' });
    expect(ids(await get('/embed/support-requests?status=answered'))).toEqual([first.id]);
    expect(ids(await get(`/embed/support-requests?connectionId=${connectionId}`))).toEqual([second.id]);
  });

  it('are recorded once per idempotency key', async () => {
    const sent = { headers: { 'Idempotency-Key': 'question-1' } };
    const json = { subject: 'Once', body: 'It never ends.' };
    const first = await send('POST', '/embed/support-requests', json, sent);
    const again = await send('POST', '/embed/support-requests', json, sent);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('cannot be about a connection of another application, and are not shown to it', async () => {
    const { connectionId } = await api.connect({ applicationId: other.applicationId });
    expect((await ask('Foreign', { connectionId })).body.code).toBe('SERVICE_INVALID_BODY');
    const { id } = (await ask('Mine')).body.data;
    const asOther = { token: other.token };
    expect(ids(await send('GET', '/embed/support-requests', undefined, asOther))).toEqual([]);
    expect((await send('PATCH', `/embed/support-requests/${id}`, { status: 'closed' }, asOther)).status).toBe(404);
  });

  it('are kept when their connection is deleted permanently', async () => {
    const { connectionId } = await api.connect({ applicationId: app.applicationId });
    const { id } = (await ask('Gone', { connectionId })).body.data;
    expect((await send('DELETE', `/connections/${connectionId}/permanent`)).status).toBe(204);
    const { data } = (await get('/embed/support-requests')).body;
    expect(data.find((each) => each.id === id)).toMatchObject({ connectionId: null, subject: 'Gone' });
  });
});
