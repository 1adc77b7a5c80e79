import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Shown {
  readonly id: string;
  readonly currency?: { readonly id: string } | null;
  readonly externalValues?: readonly string[];
}
interface Body {
  readonly data: Shown & readonly Shown[];
  readonly writeId: string;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
  readonly resolvedRefs: readonly object[];
}

let api: TestApi;
let app: TestApplication;
let system: FaultySystem;
let connection: { readonly connectionId: string; readonly token: string };
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi({ systems, rateLimits: { token: 1_000_000 } });
  app = await api.signIn(api.connection.applicationId);
  system = await startFaultySystem();
  const settings = { url: system.url };
  connection = await api.connect({ applicationId: app.applicationId, platform: 'faulty', settings });
  for (const code of ['EUR', 'USD', 'GBP']) {
    const { body } = await send('POST', '/currencies', { name: code, code, isoCode: code });
    ids[code] = body.data.id;
  }
  await map('Currency', [
    ['EUR', 'money-1'],
    ['EUR', 'money-2'],
    ['USD', 'shared'],
    ['GBP', 'shared'],
  ]);
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

const send = (method: string, path: string, json?: unknown) =>
  api.fetch<Body>(`/v4${path}`, {
    ...{ method, token: connection.token, headers: { Prefer: 'wait=30' } },
    ...(json !== undefined && { json }),
  });
const get = (path: string) => send('GET', path);

/** Replaces the pairs of a mapping: those of a client if its id is given, otherwise the shared ones. */
async function map(entity: string, pairs: readonly (readonly [name: string, value: string])[], clientId?: string) {
  const base = `/v4/connections/${connection.connectionId}/data-mappings`;
  const manage = (method: string, path: string, json?: object) =>
    api.fetch<Body>(path, { method, token: app.token, ...(json && { json }) });
  await manage('POST', base, { entity, cardinality: 'many_to_many' });
  const listed = (await manage('GET', base)).body.data as unknown as readonly { id: string; entity: string }[];
  const mapping = listed.find((each) => each.entity === entity);
  const query = clientId === undefined ? '' : `?clientId=${clientId}`;
  const entries = pairs.map(([name, externalValue]) => ({ serviceId: ids[name], externalValue }));
  const { status } = await manage('PUT', `${base}/${mapping?.id}/entries${query}`, { entries });
  expect(status).toBe(200);
}

describe('a reference by externalValue', () => {
  it('points to the record that the value belongs to', async () => {
    const { status, body, headers } = await send('POST', '/vendors', {
      ...{ name: 'ACME', currency: { externalValue: 'money-2' } },
    });
    expect([status, body.data.currency?.id]).toEqual([201, ids.EUR]);
    const { resolvedRefs } = (await get(`/writes/${headers.get('write-id')}`)).body;
    expect(resolvedRefs).toMatchObject([{ given: { externalValue: 'money-2' }, matchedOn: 'externalValue' }]);
  });

  it('is refused if no record has the value, or only for a client', async () => {
    await map('Currency', [['EUR', 'of-client']], app.clientId);
    for (const externalValue of ['unheard-of', 'of-client']) {
      const { status, body } = await send('POST', '/vendors', { name: 'ACME', currency: { externalValue } });
      expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
      expect(body.message).toContain(`No currency has the \`externalValue\` "${externalValue}".`);
    }
  });

  it('is refused with the candidates if several records have the value', async () => {
    const { status, body } = await send('POST', '/vendors', { name: 'ACME', currency: { externalValue: 'shared' } });
    expect([status, body.code]).toEqual([422, 'SERVICE_AMBIGUOUS_REFERENCE']);
    const candidates = [ids.USD, ids.GBP].map((id) => expect.objectContaining({ id, rel: 'Currency' }));
    expect(body.details[1]?.candidates).toEqual(expect.arrayContaining(candidates));
    expect(body.details[1]?.candidates).toHaveLength(2);
  });
});

describe('extend=externalValues', () => {
  it('adds the values to each record of a list, and to one record', async () => {
    const { data } = (await get('/currencies?extend=externalValues&sort=code')).body;
    expect(data.map(({ externalValues }) => externalValues)).toEqual([['money-1', 'money-2'], ['shared'], ['shared']]);
    const one = (await get(`/currencies/${ids.EUR}?extend=externalValues`)).body.data;
    expect(one.externalValues).toEqual(['money-1', 'money-2']);
    expect((await get(`/currencies/${ids.EUR}`)).body.data).not.toHaveProperty('externalValues');
  });

  it('is an empty list for records without values, and can be combined with relations and fields', async () => {
    await send('POST', '/vendors', { name: 'Combined', currency: { id: ids.EUR } });
    const path = '/vendors?filter[name]=Combined&fields=code&extend=currency,externalValues';
    const [vendor] = (await get(path)).body.data;
    expect(vendor).toMatchObject({ externalValues: [], currency: { id: ids.EUR, isoCode: 'EUR' } });
    expect(vendor?.currency).not.toHaveProperty('externalValues');
  });

  it('is not available as `expand`', async () => {
    expect((await get('/currencies?expand=externalValues')).body.code).toBe('SERVICE_INVALID_EXPAND');
  });
});
