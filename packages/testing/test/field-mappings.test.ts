import { saveSyncState, syncState } from '@unified/store';
import { signIn, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Derivations take a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const PATIENCE = { timeout: 110_000 };

interface Mapping {
  readonly revision: number;
  readonly isActive: boolean;
  readonly stream: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly changedFields: readonly string[];
  readonly note: string | null;
  readonly createdBy: string | null;
  readonly derivation: { readonly state: string; readonly rows: number; readonly totalRows: number } | null;
}
interface Body<Data> {
  readonly data: Data;
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

let company: Company;
let app: TestApplication;
let connectionId: string;

beforeAll(async () => {
  company = await startCompany();
  app = await signIn(company.store, company.baseUrl, company.applicationId);
  const { body } = await manage<readonly { readonly id: string }[]>('GET', '/connections');
  connectionId = body.data[0]?.id ?? '';
}, START_MS);
afterAll(() => company?.stop());

const manage = <Data>(method: string, path: string, json?: unknown, headers = {}) =>
  company.send<Body<Data>>(path, { method, token: app.token, headers, ...(json !== undefined && { json }) });

/** Functions that call the operations on the mapping of an entity. */
function mapping(entity: string) {
  const base = `/connections/${connectionId}/field-mappings/${entity}`;
  return {
    get: async () => (await manage<Mapping>('GET', base)).body.data,
    save: (json: object, headers = {}) => manage<Mapping>('POST', base, json, headers),
    activate: (revision: number) => manage<Mapping>('POST', `${base}/revisions/${revision}/actions/activate`),
    revisions: (query = '') => manage<readonly Mapping[]>('GET', `${base}/revisions${query}`),
    test: (json: object) => manage<{ rows: readonly TestedRow[] }>('POST', `${base}/actions/test-fetch`, json),
    preview: (json: object) => manage<Preview>('POST', `${base}/actions/preview`, json),
    draft: (table: string) => manage<Draft>('POST', `${base}/actions/draft`, { table }),
    derived: () =>
      expect
        .poll(async () => (await manage<Mapping>('GET', base)).body.data.derivation?.state, PATIENCE)
        .toBe('completed'),
  };
}

interface TestedRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly string[];
}
interface Preview {
  readonly rows: number;
  readonly records: number;
  readonly fields: readonly { readonly field: string; readonly records: number }[];
  readonly examples: readonly { readonly id: string | null; readonly field: string; readonly after: unknown }[];
}
interface Draft {
  readonly stream: string;
  readonly customStream: { readonly name: string; readonly key: readonly string[] } | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly proposals: readonly { readonly field: string; readonly confidence: number; readonly reason: string }[];
}

const names = async () => (await company.all<{ name: string }>('/localities')).map(({ name }) => name).toSorted();

describe('a field mapping', () => {
  it('is at first that of the platform, as revision 0', async () => {
    const vendor = await mapping('Vendor').get();
    expect(vendor).toMatchObject({ revision: 0, isActive: true, stream: 'lief', changedFields: [], createdBy: null });
    expect(vendor.fields).toMatchObject({ name: 'name1', leadTimeDays: 'liefertage' });
    expect(vendor.derivation).toMatchObject({ state: 'completed' });
  });

  it('is saved, tested, previewed, activated and taken back, while lists are available', async () => {
    const locality = mapping('Locality');
    const before = await names();
    const platform = await locality.get();
    const read = { concat: { parts: [{ const: 'Old' }, platform.fields.name], separator: ' ' } };
    const fields = { name: { read, write: platform.fields.name } };
    const tried = (await locality.test({ fields, limit: 3 })).body.data.rows;
    expect(tried.map(({ record }) => String(record?.name).slice(0, 4))).toEqual(['Old ', 'Old ', 'Old ']);
    const preview = (await locality.preview({ fields, limit: 2 })).body.data;
    expect(preview).toMatchObject({ records: before.length, created: 0, deleted: 0 });
    expect(preview.fields).toContainEqual({ field: 'name', records: before.length, problems: 0 });
    expect(preview.examples[0]).toMatchObject({ id: expect.any(String), after: expect.stringMatching(/^Old /) });
    expect(await names()).toEqual(before);

    const saved = await locality.save({ fields, note: 'With a prefix' });
    expect([saved.status, saved.body.data]).toEqual([
      201,
      expect.objectContaining({ revision: 1, isActive: false, note: 'With a prefix', changedFields: ['name'] }),
    ]);
    expect(await names()).toEqual(before);
    expect((await locality.activate(1)).body.data).toMatchObject({ revision: 1, isActive: true });
    expect((await company.send('/localities?per_page=1')).status).toBe(200);
    await locality.derived();
    expect(await names()).toEqual(before.map((name) => `Old ${name}`).toSorted());
    expect((await locality.revisions()).body.data.map(({ revision, isActive }) => [revision, isActive])).toEqual([
      [1, true],
      [0, false],
    ]);
    await locality.activate(0);
    await locality.derived();
    expect(await names()).toEqual(before);
  });

  it('that is read and sent back unchanged differs in no field', async () => {
    const { fields, stream } = await mapping('Currency').get();
    const saved = (await mapping('Currency').save({ fields, stream })).body.data;
    expect(saved).toMatchObject({ revision: 1, changedFields: [], fields });
  });

  it('can leave out a field of the platform', async () => {
    const saved = (await mapping('Vendor').save({ fields: { description: null } })).body.data;
    expect(saved).toMatchObject({ changedFields: ['description'], fields: { description: null, name: 'name1' } });
  });
});

describe('a mapping that cannot be used', () => {
  it('is refused with every problem, what exists, and the nearest name', async () => {
    const fields = { nam: 'name1', phone: { txt: 'tel' }, name: 'nmae1', currency: 'waehr', website: { lookup: {} } };
    const { status, body } = await mapping('Vendor').save({ fields });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    const messages = Object.fromEntries(body.details.map(({ path, message }) => [path, message]));
    expect(messages['body/fields/nam']).toMatch(/has no such field \(did you mean "name"\?\); it has .*name/);
    expect(messages['body/fields/phone']).toMatch(/unknown keyword "txt" \(did you mean "text"\?\)/);
    expect(messages['body/fields/currency']).toMatch(/the field is relation, the expression yields any/);
    expect(Object.keys(messages)).toEqual(expect.arrayContaining([expect.stringMatching(/^body\/fields\/website/)]));
  });

  it('is refused if it reads columns that the connected system does not have', async () => {
    const { status, body } = await mapping('Vendor').save({ fields: { name: 'nmae1' } });
    expect([status, body.details[0]]).toEqual([
      400,
      {
        path: 'body/fields/name',
        message: expect.stringMatching(/^lief has no column "nmae1"\. Did you mean "name1"\? It has .*zahlbed/),
      },
    ]);
  });

  it('is refused alike by a test and a preview, with all problems together', async () => {
    const vendor = mapping('Vendor');
    const tried = { fields: { name: 'nmae1', phone: { txt: 'tel' } } };
    for (const answer of [await vendor.save(tried), await vendor.test(tried), await vendor.preview(tried)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      expect(answer.body.details.map(({ path, message }) => [path, message])).toEqual([
        ['body/fields/phone', expect.stringContaining('unknown keyword "txt"')],
        ['body/fields/name', expect.stringContaining('lief has no column "nmae1". Did you mean "name1"?')],
      ]);
    }
  });

  it('is refused for an unknown stream, and for an entity that does not exist', async () => {
    const { body } = await mapping('Vendor').save({ stream: 'leif', fields: { name: 'name1' } });
    expect(body.details[0]).toMatchObject({
      path: 'body/stream',
      message: expect.stringContaining('did you mean "lief"?'),
    });
    const refused = await Promise.all(['Vendr', 'Person'].map((entity) => mapping(entity).save({ fields: {} })));
    for (const { status, body } of refused) expect([status, body.code]).toEqual([404, 'SERVICE_NOT_FOUND']);
  });
});

describe('revisions', () => {
  it('of two people who edit the same one do not replace each other', async () => {
    const country = mapping('Country');
    const both = await Promise.all(['A', 'B'].map((note) => country.save({ fields: {}, note, basedOn: 0 })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('SERVICE_CONFLICT');
    const late = await country.save({ fields: {}, basedOn: 0 });
    expect([late.status, late.body.details]).toEqual([409, { newestRevision: 1 }]);
    expect((await country.save({ fields: {}, basedOn: 1 })).body.data).toMatchObject({ revision: 2 });
  });

  it('are listed in pages', async () => {
    const language = mapping('Language');
    for (const note of ['1', '2', '3']) await language.save({ fields: {}, note });
    const listed: number[] = [];
    for (let query = '?per_page=2'; query !== ''; ) {
      const { body } = await language.revisions(query);
      listed.push(...body.data.map(({ revision }) => revision));
      query = body.meta.next_cursor === null ? '' : `?per_page=2&cursor=${body.meta.next_cursor}`;
    }
    expect(listed).toEqual([3, 2, 1, 0]);
    expect((await language.revisions('?cursor=nonsense')).body.code).toBe('SERVICE_INVALID_CURSOR');
    expect((await language.activate(4)).status).toBe(404);
  });

  it('are saved once per idempotency key', async () => {
    const site = mapping('Site');
    const key = { 'Idempotency-Key': 'once' };
    const both = [await site.save({ fields: {} }, key), await site.save({ fields: {} }, key)];
    expect(both.map(({ body }) => body.data.revision)).toEqual([1, 1]);
  });
});

describe('the connected system', () => {
  interface Table {
    readonly name: string;
    readonly stream: string | null;
    readonly rows: number;
    readonly fields: readonly string[];
    readonly columns: readonly { readonly name: string; readonly type: string; readonly samples: readonly string[] }[];
  }

  it('shows its tables in pages, and one table with samples', async () => {
    const path = `/connections/${connectionId}/source-tables`;
    const tables: string[] = [];
    for (let query = '?per_page=100'; query !== ''; ) {
      const { body } = await manage<readonly Table[]>('GET', `${path}${query}`);
      tables.push(...body.data.map(({ name }) => name));
      query = body.meta.next_cursor === null ? '' : `?per_page=100&cursor=${body.meta.next_cursor}`;
    }
    expect(tables.some((name) => name.endsWith('.lief'))).toBe(true);
    const [lief] = (await manage<readonly Table[]>('GET', `${path}?table=lief`)).body.data;
    expect(lief).toMatchObject({ name: 'lief', stream: 'lief', fields: expect.arrayContaining(['zahlbed', 'name1']) });
    expect(lief?.rows).toBeGreaterThan(0);
    expect(lief?.columns.find(({ name }) => name === 'name1')).toMatchObject({
      samples: [expect.any(String), expect.anything(), expect.anything(), expect.anything(), expect.anything()],
    });
    expect((await manage('GET', `${path}?table=no_such_table`)).status).toBe(404);
  });

  it('is compared with custom streams: unknown tables, keys and cursors are refused with what exists', async () => {
    await company.sql(`create table part_price (id int primary key, name text, changed_at timestamptz)`);
    const custom = `/connections/${connectionId}/custom-streams`;
    const refused = async (streams: readonly object[]) => {
      const { status, body } = await manage('PUT', custom, { streams });
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      return Object.fromEntries(body.details.map(({ path, message }) => [path, message]));
    };
    const sent = [
      { name: 'part_prise', key: ['id'] },
      { name: 'part_price', key: ['id', 'idd'], cursor: 'changd_at' },
    ];
    expect(await refused(sent)).toEqual({
      'body/streams/0/name': expect.stringMatching(
        /no table "part_prise".*\. Did you mean "\w+\.part_price"\? It has /,
      ),
      'body/streams/1/key/1': expect.stringMatching(
        /^part_price has no column "idd"\. Did you mean "id"\? It has id, name/,
      ),
      'body/streams/1/cursor': expect.stringContaining('Did you mean "changed_at"?'),
    });
    expect(await refused([{ name: 'part_price', key: ['id'], cursor: 'name' }])).toEqual({
      'body/streams/0/cursor': expect.stringMatching(/^The cursor "name" is of type text; /),
    });
    expect((await manage('GET', custom)).body.data).toEqual({ streams: [] });
  });

  it('reads a stream immediately when it is saved after a failure, although its retry is planned for later', async () => {
    await company.sql('create table part_note (id int primary key, name text)');
    const custom = `/connections/${connectionId}/custom-streams`;
    const streams = [{ name: 'part_note', key: ['id'] }];
    await manage('PUT', custom, { streams });
    const scope = company.store.scope({ applicationId: company.applicationId, connectionId });
    const state = () => syncState(scope, 'part_note');
    await expect.poll(async () => (await state())?.lastSuccessAt ?? null, PATIENCE).not.toBeNull();
    const failed = { error: 'No table', errorCode: 'SERVICE_REJECTED', nextRunAt: '2999-01-01T00:00:00Z' };
    await saveSyncState(scope, 'part_note', failed);
    await manage('PUT', custom, { streams });
    await expect.poll(async () => (await state())?.error, PATIENCE).toBeNull();
    await expect.poll(async () => (await manage('PUT', custom, { streams: [] })).status, PATIENCE).toBe(200);
  });

  it('is extended by a custom stream, from which a draft maps an entity', async () => {
    await company.sql(`create table price_zone (id int primary key, name text, description text, is_active boolean, created_at timestamptz);
      insert into price_zone values (1, 'North', 'All of the north', true, now()), (2, 'South', 'Mild', false, now())`);
    const taxonomy = mapping('Taxonomy');
    const before = await taxonomy.get();
    const draft = (await taxonomy.draft('price_zone')).body.data;
    expect(draft).toMatchObject({
      stream: 'price_zone',
      customStream: { name: 'price_zone', key: ['id'] },
      fields: { name: 'name', description: 'description' },
    });
    expect(draft.proposals.every(({ confidence, reason }) => confidence > 0 && confidence < 1 && reason !== '')).toBe(
      true,
    );
    const streams = { streams: [draft.customStream] };
    expect((await manage('PUT', `/connections/${connectionId}/custom-streams`, streams)).body.data).toEqual(streams);
    const copied = async () =>
      (await manage<readonly Table[]>('GET', `/connections/${connectionId}/source-tables?table=price_zone`)).body
        .data[0]?.rows;
    await expect.poll(copied, PATIENCE).toBe(2);
    const fields = { ...draft.fields };
    expect((await taxonomy.test({ stream: draft.stream, fields })).body.data.rows).toHaveLength(2);
    await taxonomy.save({ stream: draft.stream, fields, activate: true });
    await taxonomy.derived();
    const list = async () => (await company.all<{ name: string }>('/taxonomies')).map(({ name }) => name);
    expect((await list()).toSorted()).toEqual(['North', 'South']);
    const removed = await manage('PUT', `/connections/${connectionId}/custom-streams`, { streams: [] });
    expect([removed.status, removed.body.message]).toEqual([
      400,
      expect.stringContaining('Taxonomy reads "price_zone"'),
    ]);
    await taxonomy.activate(before.revision);
    await taxonomy.derived();
    expect((await list()).includes('North')).toBe(false);
    expect((await manage('PUT', `/connections/${connectionId}/custom-streams`, { streams: [] })).status).toBe(200);
  });
});

it('belongs to the application of the connection', async () => {
  const other = await signIn(company.store, company.baseUrl);
  for (const path of ['field-mappings/Vendor', 'field-mappings/Vendor/revisions', 'source-tables', 'custom-streams']) {
    const { status } = await company.send(`/connections/${connectionId}/${path}`, { token: other.token });
    expect(status).toBe(404);
  }
});
