import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { type Sent, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Body {
  readonly data: { readonly id: string };
  readonly writeId: string;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';
const WAIT = { Prefer: 'wait=30' };
const LATER = { Prefer: 'respond-async' };

let api: TestApi;
let token: string;
const started: FaultySystem[] = [];

beforeAll(async () => {
  api = await startApi({ systems });
});
beforeEach(async () => {
  const system = await startFaultySystem();
  started.push(system);
  ({ token } = await api.connect({ platform: 'faulty', settings: { url: system.url } }));
});
afterAll(async () => {
  await api.stop();
  await Promise.all(started.map((each) => each.close()));
});

const send = (method: string, path: string, json?: unknown, headers: Sent['headers'] = WAIT) =>
  api.fetch<Body>(`/v4${path}`, { method, token, headers, ...(json !== undefined && { json }) });
const made = async (path: string, json: object) => (await send('POST', path, json)).body.data.id;
const vendor = () => made('/vendors', { name: 'ACME' });
const euro = () => made('/currencies', { name: 'Euro', code: 'EUR', isoCode: 'EUR' });
const queued = async () => ((await send('GET', '/writes')).body.data as unknown as unknown[]).length;

/** Expects an immediate refusal, with nothing queued; returns its body. */
async function refused(...request: Parameters<typeof send>): Promise<Body> {
  const before = await queued();
  const { status, headers, body } = await send(...request);
  expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
  expect([headers.get('write-id'), await queued()]).toEqual([null, before]);
  return body;
}

describe('a reference whose `rel` is not an allowed kind is refused immediately', () => {
  const currency = { rel: 'Vendor', _displayValue: 'Euro' };

  it('in a create, an update and a replacement', async () => {
    const path = `/vendors/${await vendor()}`;
    const expected = {
      message: '`currency`: It cannot point to "Vendor", only to Currency.',
      details: [{ path: 'body/currency', field: 'currency', given: currency, allowed: ['Currency'] }],
    };
    expect(await refused('POST', '/vendors', { name: 'ACME', currency })).toMatchObject(expected);
    expect(await refused('PATCH', path, { currency })).toMatchObject(expected);
    expect(await refused('PUT', path, { name: 'ACME', currency })).toMatchObject(expected);
  });

  it('in an action: a Status instead of a Taxonomy', async () => {
    const path = `/work-orders/${await made('/work-orders', { name: 'Pump' })}/actions/assign`;
    const { message, details } = await refused(
      'POST',
      path,
      { team: { rel: 'Status', _displayValue: 'North' } },
      LATER,
    );
    expect(message).toBe('`team`: It cannot point to "Status", only to Taxonomy.');
    expect(details).toMatchObject([{ path: 'body/team', allowed: ['Taxonomy'] }]);
  });

  it('within the lines of a record, each with its path', async () => {
    const account = { _displayValue: '6550' };
    const item = { rel: 'Item', _idValue: '1' };
    const lines = [
      { debit: 5, account, currency },
      { credit: 4, account },
      { credit: 1, account: item },
    ];
    const { details } = await refused('POST', '/journal-entries', {
      ...{ transactionDate: '2026-11-20', currency: { _displayValue: 'Euro' }, lines },
    });
    expect(details.map(({ path }) => path)).toEqual(['body/lines/0/currency', 'body/lines/2/account']);
  });

  it('with the kind that is meant where it is misspelt', async () => {
    const { message, details } = await refused('POST', '/vendors', {
      ...{ name: 'ACME', currency: { rel: 'Curency', _displayValue: 'Euro' } },
    });
    expect(message).toContain('"Curency", only to Currency. Did you mean "Currency"?');
    expect(details).toMatchObject([{ didYouMean: 'Currency' }]);
  });
});

describe('a reference that identifies no record is refused immediately', () => {
  it.each([{ rel: 'Currency' }, { _displayValue: '  ' }, { _idValue: ' ', rel: 'Currency' }])(
    '%j',
    async (currency) => {
      const { message } = await refused('POST', '/vendors', { name: 'ACME', currency });
      expect(message).toBe(
        '`currency`: It identifies no record. Send the `id`, `_idValue`, `code` or `_displayValue` of the currency.',
      );
    },
  );

  it('by an unknown id, or that of a record of another kind', async () => {
    for (const id of [UNKNOWN, await vendor()]) {
      const { message } = await refused('POST', '/vendors', { name: 'ACME', currency: { id } });
      expect(message).toContain(`No currency has the \`id\` "${id}".`);
    }
  });

  it('by the id of a record of another connection', async () => {
    const id = await euro();
    ({ token } = await api.connect({ platform: 'faulty', settings: { url: started.at(-1)?.url } }));
    await refused('POST', '/vendors', { name: 'ACME', currency: { id } });
  });
});

it('a dry run is refused as the write would be', async () => {
  const json = { name: 'ACME', currency: { id: UNKNOWN } };
  const { message, details } = await refused('POST', '/vendors', json);
  expect(await refused('POST', '/vendors?dryRun=true', json)).toMatchObject({ message, details });
});

it('a refusal leaves the idempotency key unused', async () => {
  const headers = { ...WAIT, 'Idempotency-Key': 'corrected' };
  await refused('POST', '/vendors', { name: 'ACME', currency: { rel: 'Status', _displayValue: 'Euro' } }, headers);
  const { status } = await send('POST', '/vendors', { name: 'ACME' }, headers);
  expect(status).toBe(201);
});

describe('references that may match later are left to the worker', () => {
  it('such as a record that an earlier write is going to create', async () => {
    await send('POST', '/currencies', { name: 'Franc', code: 'CHF', isoCode: 'CHF' }, LATER);
    const { status, body } = await send('POST', '/vendors', { name: 'ACME', currency: { _displayValue: 'Franc' } });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ currency: { _displayValue: 'Franc' } });
  });

  it('such as a label that no record has yet, which fails the write', async () => {
    const json = { name: 'ACME', currency: { _displayValue: 'Groat' } };
    expect((await send('POST', '/vendors', json, LATER)).status).toBe(202);
    const { status, body } = await send('POST', '/vendors', json);
    expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
    expect(body.message).toContain('No currency has the `_displayValue` "Groat".');
  });
});

it('a code identifies a record, and so does a label that is a code', async () => {
  const id = await euro();
  for (const currency of [{ code: 'EUR' }, { code: 'EUR', _displayValue: 'Franc' }, { _displayValue: 'EUR' }]) {
    const { status, body } = await send('POST', '/vendors', { name: 'ACME', currency });
    expect([currency, status]).toEqual([currency, 201]);
    expect(body.data).toMatchObject({ currency: { id } });
  }
  const { status, body } = await send('POST', '/vendors', { name: 'ACME', currency: { code: 'XXX' } });
  expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
  expect(body.message).toContain('No currency has the `code` "XXX".');
});

it('an id is accepted in upper and lower case, and with the `rel` and `href` that it was read with', async () => {
  const id = await euro();
  const json = { name: 'ACME', currency: { id: id.toUpperCase(), rel: 'Currency', href: 'http://localhost/x' } };
  expect((await send('POST', '/vendors', json)).status).toBe(201);
});
