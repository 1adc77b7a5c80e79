import { entities } from '@unified/contract';
import { saveRecords } from '@unified/store';
import { seed, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CANARY = 'CANARY-7f3a';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await seed(api.connection.scope, { vendors: 5, workOrders: 2 });
  const other = await api.connect();
  await seed(other.scope, { vendors: 3 });
  const values = { name: CANARY, code: CANARY, isActive: true };
  await saveRecords(other.scope, entities.Vendor, [{ _source: 'party', _idValue: CANARY, values, references: {} }]);
});
afterAll(() => api.stop());

const WRITES = [
  ...["insert into vendors (name) values ('x')", "update vendors set name = 'x'", 'delete from vendors'],
  ...['truncate vendors', 'drop table vendors', 'create table t (a int)', 'alter table vendors add column a int'],
  ...[
    'create view v as select 1',
    'create function f() returns int language sql as $$select 1$$',
    'do $$ begin end $$',
  ],
  ...["copy vendors to '/tmp/x'", "copy vendors from program 'id'", 'grant all on vendors to public', 'call f()'],
  ...['vacuum', 'analyze vendors', 'reindex table vendors', 'cluster vendors', 'lock table vendors', 'listen x'],
  ...["notify x, 'y'", 'begin', 'commit', 'rollback', 'savepoint a', 'prepare p as select 1', 'execute p'],
  ...['deallocate all', 'discard all', 'set role unified_owner', 'reset all', 'show all', 'explain select 1'],
  ...["set app.connection_id = 'x'", 'declare c cursor for select 1', 'fetch all from c', 'close c', 'checkpoint'],
  ...["load '/tmp/x.so'", "security label on table vendors is 'x'", "comment on table vendors is 'x'"],
  ...[
    'merge into vendors using vendors v on true when matched then delete',
    'import foreign schema s from server x into y',
  ],
  ...[
    'with d as (delete from vendors returning *) select * from d',
    'with u as (update vendors set name = 1 returning *) select 1',
  ],
  ...['with i as (insert into vendors values (1) returning *) select 1', 'select * into copied from vendors'],
  ...['select * from vendors for update', 'select * from vendors for share', 'select * from vendors for key share'],
  'create temporary table t as select * from vendors',
];

const FUNCTIONS = [
  ...['pg_sleep(10)', "pg_sleep_for('1 minute')", "pg_read_file('/etc/passwd')", "pg_ls_dir('/')", "pg_stat_file('/')"],
  ...["pg_read_binary_file('/etc/passwd')", 'pg_terminate_backend(1)', 'pg_cancel_backend(1)', 'pg_reload_conf()'],
  ...["set_config('app.connection_id', 'x', false)", "current_setting('app.connection_id')", 'version()'],
  ...[
    "lo_import('/etc/passwd')",
    "lo_export(1, '/tmp/x')",
    'lo_create(1)',
    "dblink('x', 'select 1')",
    'inet_server_addr()',
  ],
  ...[
    "query_to_xml('select 1', true, true, '')",
    "database_to_xml(true, true, '')",
    "table_to_xml('vendors', true, true, '')",
  ],
  ...[
    "nextval('x')",
    "setval('x', 1)",
    "currval('x')",
    'txid_current()',
    'pg_backend_pid()',
    'pg_postmaster_start_time()',
  ],
  ...['pg_advisory_lock(1)', 'pg_try_advisory_lock(1)', 'pg_notify(1, 2)', 'pg_rotate_logfile()', 'pg_switch_wal()'],
  ...["has_table_privilege('vendors', 'select')", "pg_relation_size('vendors')", "pg_get_viewdef('x')", 'pg_typeof(1)'],
  ...[
    "to_regclass('vendors')",
    "format('%s', 1)",
    "repeat('x', 1000000000)",
    "lpad('x', 1000000000)",
    "rpad('x', 1000000000)",
  ],
  ...['generate_series(1, 1000000000)', "regexp_replace('a', '(a+)+', '')", "regexp_matches('a', '(a+)+')", 'random()'],
  ...[
    'array_fill(1, array[100000])',
    "string_to_array('a', '')",
    'unnest(array[1])',
    'json_agg(1)',
    "xmlparse(document '<a/>')",
  ],
  ...["encode('x', 'base64')", "md5('x')", "convert_from('x', 'utf8')", 'clock_timestamp()', 'gen_random_uuid()'],
  ...[
    'pg_catalog.pg_sleep(1)',
    'unified.anything()',
    'pg_stat_get_activity(1)',
    'pg_ls_logdir()',
    'pg_export_snapshot()',
  ],
  ...[
    'row_to_json(vendors)',
    'array_agg(name)',
    "string_agg(name, ',')",
    "xmlagg('x')",
    'setseed(0.5)',
    'pg_current_wal_lsn()',
  ],
].map((call) => `select ${call} from vendors`);

const CATALOGS = [
  ...['pg_class', 'pg_user', 'pg_shadow', 'pg_authid', 'pg_roles', 'pg_settings', 'pg_stat_activity', 'pg_tables'],
  ...['pg_proc', 'pg_attribute', 'pg_namespace', 'pg_database', 'pg_views', 'pg_file_settings', 'pg_hba_file_rules'],
  ...[
    'pg_catalog.pg_class',
    'information_schema.tables',
    'information_schema.columns',
    'public.vendors',
    'data.vendors',
  ],
  ...[
    'unified.connections',
    'unified.applications',
    'unified.personal_access_tokens',
    'unified.client_secrets',
    'data.vendor',
  ],
  ...[
    'unified.webhook_endpoints',
    'unified.third_party_servers',
    'connections',
    'tokens',
    'pg_temp.t',
    '"vendors "',
    'other.data.vendors',
  ],
].map((table) => `select * from ${table}`);

const COLUMNS = [
  ...['connection_id', 'doc', 'tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'oid', 'seq', 'lookup', 'deletedAt'],
  ...[
    'vendors',
    '(vendors).*',
    '(vendors).name',
    'vendors.connection_id',
    'vendors::text',
    'applicationId',
    '_deleted',
  ],
].map((column) => `select ${column} from vendors`);

const CONSTRUCTS = [
  ...['select 1 union select 2', 'select 1 union all select name from vendors', 'select 1 intersect select 1'],
  ...['select 1 except select 2', 'with recursive r as (select 1 union all select * from r) select * from r'],
  ...[
    'values (1)',

    'select 1; select 2',
    'select 1; drop table vendors',
    'select * from vendors tablesample system (1)',
  ],
  ...[
    "select name ~ '(a+)+$' from vendors",
    "select name similar to 'a' from vendors",
    'select name operator(pg_catalog.=) code from vendors',
  ],
  ...[
    "select 'x'::regclass",
    "select 'x'::regproc",
    "select '{}'::jsonb",
    "select 'x'::bytea",
    'select 1::oid',
    "select 'x'::xml",
  ],
  ...['select name collate "C" from vendors', 'select array(select name from vendors)', 'select row(1, 2)'],
  ...[
    'select * from lateral (select 1) x',
    'select * from vendors, lateral (select connection_id) x',
    'select * from rows from (f()) x',
  ],
  ...[
    'select xmlelement(name a)',
    'select current_user',
    'select session_user',
    'select current_catalog',
    'select current_schema',
  ],
  ...[
    'select current_role',
    'select user',
    "select json_value('{}', '$')",
    'select grouping(name) from vendors',
    'select $0',
    'select $101',
  ],
  ...[
    'select * from vendors where current of c',
    'select distinct on (name) * from vendors',
    'select name from vendors fetch first 1 rows with ties',
  ],
  ...[
    'select 1 limit all offset -1',
    "select 1 limit 'x'",
    'select 1 limit -1',
    'select sum(name) over w from vendors window w as ()',
  ],
  ...[
    "select '",
    'select "',
    'select /*',
    'select $$',
    "select E'\\",
    'select \\',
    'select @',
    'select #',
    '--',
    ';',
    '()',
    'select )',
    'select (',
  ],
];

const TENANTS = [
  ...[
    "select * from vendors where connection_id <> ''",
    'select * from vendors v join vendors w on v.connection_id <> w.connection_id',
  ],
  ...[
    'select 1 from vendors where exists (select connection_id from vendors)',
    'select name from vendors order by connection_id',
  ],
  ...[
    "select name from vendors group by name having max(connection_id) > ''",
    'select customFields.connection_id from vendors',
  ],
  ...[
    'select currency.connection_id from vendors',
    'select vendors.currency.doc from vendors',
    'select "connection_id" from vendors',
  ],
  ...[
    'select CONNECTION_ID from vendors',
    'select v.doc from vendors v',
    'select x.connection_id from (select * from vendors) x',
  ],
  ...[
    'with v as (select connection_id from vendors) select * from v',
    'select (select connection_id from vendors limit 1)',
  ],
  ...['select max(vendors.connection_id) from vendors', "select case when connection_id = '' then 1 end from vendors"],
  ...[
    'select name from vendors where id in (select connection_id from vendors)',
    'select count(connection_id) from vendors',
  ],
];

const HOSTILE = [...WRITES, ...FUNCTIONS, ...CATALOGS, ...COLUMNS, ...CONSTRUCTS, ...TENANTS];

it('is a table of at least 200 hostile statements', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200);
});

describe('a hostile statement', () => {
  it.each(HOSTILE)('is refused, and nothing is revealed: %s', async (statement) => {
    const { status, body } = await api.fetch<{ code: string; message: string }>('/v4/query', {
      method: 'POST',
      json: { statement },
    });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_QUERY']);
    expect(JSON.stringify(body)).not.toContain(CANARY);
  });

  it('has changed nothing', async () => {
    const { body } = await api.fetch<{ data: { rows: unknown[][] } }>('/v4/query', {
      ...{ method: 'POST', json: { statement: 'select count(*) from vendors' } },
    });
    expect(body.data.rows).toEqual([[4]]);
  });
});
