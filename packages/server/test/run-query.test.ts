import { clientDocument } from '@unified/contract';
import { refreshStatistics } from '@unified/store';
import { connect, seed, api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Value = string | number | boolean | null | readonly unknown[];

interface Result {
  readonly data: {
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly rows: readonly (readonly Value[])[];
    readonly nextCursor: string | null;
    readonly plan?: { readonly cost: number; readonly costLimit: number };
  };
  readonly code?: string;
  readonly message?: string;
}

/** The part of an operation with the example of its body. */
interface RequestExample {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly example: { readonly statement: string; readonly parameters: Readonly<Record<string, unknown>> };
      };
    };
  };
}

let api: TestApi;
let other: TestConnection;

beforeAll(async () => {
  api = await startApi();
  await seed(api.connection.scope, { vendors: 121, workOrders: 12 });
  other = await api.connect();
  await seed(other.scope, { vendors: 7 });
});
afterAll(() => api.stop());

const send = (json: object, headers: Record<string, string> = {}, token?: string) =>
  api.fetch<Result>('/v4/query', { method: 'POST', json, headers, ...(token !== undefined && { token }) });

async function query(statement: string, parameters?: Readonly<Record<string, unknown>>) {
  const { status, body } = await send({ statement, ...(parameters && { parameters }) });
  expect([statement, status, body.message]).toEqual([statement, 200, undefined]);
  return body.data;
}
const rows = async (statement: string, parameters?: Readonly<Record<string, unknown>>) =>
  (await query(statement, parameters)).rows;

describe('a query', () => {
  it('returns typed columns and rows of the connection, without deleted records', async () => {
    const { columns, rows: found } = await query(
      'select code, isActive, leadTimeDays, partnerSinceDate, _createdAt, currency from vendors order by code limit 2',
    );
    expect(columns).toEqual([
      { name: 'code', type: 'text' },
      { name: 'isActive', type: 'boolean' },
      { name: 'leadTimeDays', type: 'integer' },
      { name: 'partnerSinceDate', type: 'date' },
      { name: '_createdAt', type: 'datetime' },
      { name: 'currency', type: 'relation' },
    ]);
    expect(found).toEqual([
      ['V-00000', true, 0, '2020-01-01', '2026-01-01T00:00:00.000Z', null],
      ['V-00001', false, 1, '2020-01-02', '2026-01-01T01:00:00.000Z', expect.any(String)],
    ]);
    expect(await rows('select count(*) from vendors')).toEqual([[120]]);
  });

  it('follows relations by paths in columns, conditions and groups', async () => {
    expect(
      await rows(
        `select currency.code, count(*) as vendors from vendors
          where currency.code <> 'CZK' group by currency.code order by vendors desc, 1`,
      ),
    ).toEqual([
      ['USD', 40],
      ['EUR', 39],
    ]);
    expect(await rows(`select accountPayable.parent.code from vendors v where v.code = 'V-00003'`)).toEqual([['400']]);
    expect(await rows(`select currency.code from vendors where code = 'V-00000'`)).toEqual([[null]]);
  });

  it.each([
    [
      `select v.code from vendors v join currencies c on c.id = v.currency where c.code = 'USD' order by 1 limit 1`,
      'V-00001',
    ],
    [
      `select c.code from currencies c left join vendors v on v.currency = c.id and v.code = 'none' order by c.code limit 1`,
      'CZK',
    ],
    [
      `select code from vendors where currency in (select id from currencies where code = 'CZK') order by code limit 1`,
      'V-00002',
    ],
    [`select c.code from currencies c where not exists (select 1 from vendors v where v.currency = c.id)`, undefined],
    [`with big as (select leadTimeDays as days from vendors where leadTimeDays > 27) select max(days) from big`, 29],
    [`select sum(x.n) from (select count(*) as n from vendors group by isActive) x`, 120],
    [`select count(distinct terms) filter (where isActive) from vendors`, 1],
    [`select row_number() over (order by code desc) from vendors where code = 'V-00007'`, 1],
    [
      `select lag(code) over (order by code rows between 1 preceding and current row) from vendors where code in ('V-00001', 'V-00002') order by code desc limit 1`,
      'V-00001',
    ],
    [`select date_trunc('month', partnerSinceDate) from vendors where code = 'V-00009'`, '2020-01-01'],
    [`select extract(day from partnerSinceDate) from vendors where code = 'V-00009'`, 10],
    [`select partnerSinceDate + 1 from vendors where code = 'V-00009'`, '2020-01-11'],
    [`select date '2020-01-31' - partnerSinceDate from vendors where code = 'V-00009'`, 21],
    [`select count(*) from vendors where partnerSinceDate between '2020-01-02' and '2020-01-03'`, 10],
    [`select case when isActive then 'yes' else 'no' end from vendors where code = 'V-00000'`, 'yes'],
    [`select coalesce(legalName, upper(name)) from vendors where code = 'V-00000'`, 'ACME SUPPLIES 0'],
    [`select name || ' (' || code || ')' from vendors where code = 'V-00000'`, 'ACME Supplies 0 (V-00000)'],
    [`select cast(leadTimeDays as text) from vendors where code = 'V-00005'`, '5'],
    [`select round(avg(leadTimeDays), 1) from vendors`, 14.5],
    [`select substring(code from 3 for 2) from vendors where code = 'V-00005'`, '00'],
    [`select 1 as one`, 1],
    [`select null`, null],
    [`select true and not false`, true],
    [`select nullif(code, 'V-00005') from vendors where code = 'V-00005'`, null],
    [`select count(*) from vendors, currencies`, 360],
    [`select "name" from vendors where name like '50\\%%' order by code limit 1`, '50% Off_Parts 3'],
    [`select isActive from vendors group by rollup(isActive) order by 1 nulls first limit 1`, null],
  ])('returns the result of %s', async (statement, expected) => {
    expect((await rows(statement))[0]?.[0]).toEqual(expected);
  });

  it('replaces parameters', async () => {
    expect(await rows('select count(*) from vendors where name ilike $1', { 1: 'acme%' })).toEqual([[24]]);
    expect(
      await rows('select code from vendors where leadTimeDays = $2 and isActive = $1 order by code limit $3', {
        1: true,
        2: 4,
        3: 1,
      }),
    ).toEqual([['V-00004']]);
    expect(
      await rows('select count(*) from vendors where code = any($1)', { 1: ['V-00001', 'V-00002', 'none'] }),
    ).toEqual([[2]]);
    expect(await rows('select $1', { 1: `'; drop table vendors; --` })).toEqual([[`'; drop table vendors; --`]]);
  });

  it('returns every row once over all pages', async () => {
    const statement = 'select v.code, c.code from vendors v, currencies c, currencies d order by c.code desc';
    const found: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await send({ statement, ...(cursor && { cursor }) });
      found.push(...body.data.rows.map((row) => JSON.stringify(row)));
      cursor = body.data.nextCursor;
    } while (cursor);
    expect(found).toHaveLength(1080);
    expect(new Set(found).size).toBe(360);
  });

  it('keeps its own limit and offset across pages', async () => {
    const statement = 'select v.code from vendors v, vendors w order by v.code limit 501 offset 3';
    const first = (await send({ statement })).body.data;
    expect(first.rows).toHaveLength(500);
    const second = (await send({ statement, cursor: first.nextCursor })).body.data;
    expect([second.rows, second.nextCursor]).toEqual([[['V-00004']], null]);
  });

  it('refuses a cursor of another statement', async () => {
    const { body } = await send({ statement: 'select v.code from vendors v, vendors w' });
    const moved = await send({ statement: 'select v.name from vendors v, vendors w', cursor: body.data.nextCursor });
    expect([moved.status, moved.body.code]).toEqual([400, 'SERVICE_INVALID_CURSOR']);
  });

  it('returns CSV and JSON lines on request', async () => {
    const statement = `select code, legalName as "legal ""name""", leadTimeDays from vendors where code in ('V-00000', 'V-00004') order by code`;
    const csv = await send({ statement }, { Accept: 'text/csv' });
    expect(String(csv.body)).toBe(
      'code,"legal ""name""",leadTimeDays\r\nV-00000,,0\r\nV-00004,"Delta ""Quoted"" Works 4 GmbH",4\r\n',
    );
    const lines = await send(
      { statement: 'select code from vendors order by code limit 2' },
      { Accept: 'application/x-ndjson' },
    );
    expect(String(lines.body)).toBe('{"code":"V-00000"}\n{"code":"V-00001"}\n');
  });

  it('explains a statement without running it', async () => {
    const { status, body } = await send({ statement: 'select 1 / leadTimeDays from vendors', explain: true });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body.data.rows).toEqual([]);
    expect(body.data.plan).toEqual({ cost: expect.any(Number), costLimit: 5_000_000 });
    // Exact estimates would reveal which values the records of other connections have.
    expect(Math.log10(body.data.plan?.cost ?? 0) % 1).toBe(0);
  });

  it('refuses a statement that would cost too much, with the estimate', async () => {
    // Estimates need statistics, which PostgreSQL would otherwise collect only after a minute.
    await refreshStatistics(api.store);
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `vendors ${name}`).join(', ');
    const { status, body } = await send({ statement: `select count(*) from ${all}` });
    expect([status, body]).toMatchObject([
      422,
      { code: 'SERVICE_QUERY_TOO_EXPENSIVE', details: [{ cost: expect.any(Number), limit: 5_000_000 }] },
    ]);
  });

  it('makes no text longer than 100,000 characters, however often a statement doubles it', async () => {
    const doubled = (expression: string) =>
      Array.from({ length: 16 }).reduce<string>(
        (inner, _, level) => `select ${expression} as t from (${inner}) q${level}`,
        "select 'abcdefghij' as t",
      );
    for (const expression of ['t || t', 'array[t, t]::text', 'array[t, t]::varchar'])
      expect(await rows(`select length(t) from (${doubled(expression)}) z`)).toEqual([[100_000]]);
  });

  it('refuses a row that is larger than a response may be', async () => {
    const columns = Array.from({ length: 170 }, (_, number) => `$1 as c${number}`).join(', ');
    const { status, body } = await send({ statement: `select ${columns}`, parameters: { 1: 'x'.repeat(100_000) } });
    expect([status, body.code]).toEqual([422, 'SERVICE_QUERY_TOO_EXPENSIVE']);
  });
});

it('runs the example of the reference', async () => {
  const { post } = clientDocument().paths['/query'] as { readonly post: RequestExample };
  const { example } = post.requestBody.content['application/json'];
  expect((await query(example.statement, example.parameters)).columns).toHaveLength(3);
});

it('runs the ten questions of the guide', async () => {
  const [, fromFirst = ''] = String(clientDocument().info.description).split('```sql\n');
  const questions = (fromFirst.split('```')[0] ?? '').split(/\n\s*\n/);
  expect(questions).toHaveLength(10);
  for (const statement of questions) {
    const dates = { 1: '2026-01-01', 2: '2026-12-31' };
    await query(statement, statement.includes('$2') ? dates : undefined);
  }
});

describe('a statement', () => {
  it.each([
    ['delete from vendors', 'Only SELECT'],
    ['select 1; select 2', 'one statement'],
    ['select nmae from vendors', 'Did you mean "name"?'],
    ['select * from vendor', 'Did you mean vendors?'],
    ['select name from vendors v join currencies c on true', 'is a field of v and c'],
    ['select * from unified.connections', 'schemas'],
    ['select * from pg_class', 'no table "pg_class"'],
    ['select pg_sleep(10)', 'function pg_sleep'],
    ["select set_config('app.connection_id', 'x', true)", 'function set_config'],
    ['select pg_catalog.pg_sleep(10)', 'function pg_sleep'],
    ['select doc from vendors', 'no field "doc"'],
    ['select connection_id from vendors', 'no field "connection_id"'],
    ['select v from vendors v', 'no field "v"'],
    ['select * from vendors for update', 'FOR UPDATE'],
    ['select * into x from vendors', 'INTO'],
    ['select 1 union select 2', 'UNION'],
    ['with recursive r as (select 1) select * from r', 'RECURSIVE'],
    ["select name ~ 'a' from vendors", 'operator ~'],
    ['select name operator(pg_catalog.=) code from vendors', 'operator'],
    ['select (vendors).name from vendors', 'MQL does not support'],
    ["select 'x'::regclass", 'type regclass'],
    ['select 1 / 0', 'division by zero'],
    ["select 'x'::date", 'invalid input syntax'],
    ['select code from vendors group by name', 'must appear in the GROUP BY'],
    ['select $1', 'The parameter $1 has no value'],
    ['select name.x from vendors', 'is not a relation'],
    ['select currency.nope from vendors', 'no field "nope"'],
    ['select customFields.nope from vendors', 'no custom field'],
    ['select count(*) over', 'syntax error'],
    ['', ''],
  ])('such as %s is refused with its reason', async (statement, reason) => {
    const { status, body } = await send({ statement });
    const code = statement === '' ? 'SERVICE_INVALID_BODY' : 'SERVICE_INVALID_QUERY';
    expect([status, body]).toMatchObject([400, { code, message: expect.stringContaining(reason) }]);
  });

  it('that is nested too deeply, or too large, is refused', async () => {
    for (const statement of [
      `select ${'('.repeat(14_000)}1${')'.repeat(14_000)}`,
      `select ${'1+'.repeat(9000)}1`,
      `select ${'not '.repeat(300)}true`,
      `select '${'é'.repeat(16_000)}'`,
    ]) {
      const { status, body } = await send({ statement });
      expect([statement.slice(0, 30), status, body]).toMatchObject([
        statement.slice(0, 30),
        400,
        { code: 'SERVICE_INVALID_QUERY' },
      ]);
    }
  });

  it('reads at most 16 tables', async () => {
    const all = Array.from({ length: 17 }, (_, at) => `vendors v${at}`).join(', ');
    expect((await send({ statement: `select 1 from ${all}` })).body.message).toContain('at most 16 tables');
  });

  it('needs a value for each parameter, and no others', async () => {
    const { body } = await send({ statement: 'select 1', parameters: { 1: 'x' } });
    expect(body.message).toBe('The statement does not use the parameter "1". Remove it.');
    expect((await send({ statement: 'select 1', parameters: { x: 1 } })).body.code).toBe('SERVICE_INVALID_BODY');
  });
});

describe('the token of a query', () => {
  it('determines the records that are read', async () => {
    const { body } = await send({ statement: 'select count(*) from vendors' }, {}, other.token);
    expect(body.data.rows).toEqual([[6]]);
  });

  it('hides entities and fields that it gives no access to', async () => {
    const app = await api.signIn();
    const connection = await connect(api.store, { applicationId: app.applicationId });
    await seed(connection.scope);
    const access = [{ entity: 'Vendor', fields: ['isActive', 'currency'] }];
    const issued = await api.fetch<{ data: { token: string } }>(`/v4/connections/${connection.connectionId}/token`, {
      ...{ method: 'POST', token: app.token, json: { access, scopes: ['read'] } },
    });
    const { token } = issued.body.data;
    expect((await send({ statement: 'select count(isActive) from vendors' }, {}, token)).body.data.rows).toEqual([
      [11],
    ]);
    for (const statement of [
      'select leadTimeDays from vendors',
      'select * from currencies',
      'select currency.code from vendors',
    ]) {
      expect([statement, (await send({ statement }, {}, token)).status]).toEqual([statement, 400]);
    }
    const { columns } = (await send({ statement: 'select * from vendors limit 1' }, {}, token)).body.data;
    expect(columns.map(({ name }) => name)).not.toContain('leadTimeDays');
  });
});
