import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { migrate } from '../index.ts';
import { DISTRIBUTION_COLUMN, ON_COORDINATOR, type PlacedTable, placementOf } from './placements.ts';

const { admin, open } = await testDatabase();
await migrate(await open({ entities }));

const { rows: tables } = await admin.query<PlacedTable>(
  `select table_schema || '.' || table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('unified', 'data') and table_type = 'BASE TABLE' group by 1 order by 1`,
);
const distributed = tables.filter((table) => placementOf(table) === 'distributed').map(({ name }) => name);

test('a new table of the service is placed deliberately: here, or in ON_COORDINATOR with a reason', () => {
  expect(distributed.filter((name) => name.startsWith('unified.'))).toEqual([
    'unified.change_log_bounds',
    'unified.changes',
    'unified.content_chunks',
    'unified.custom_fields',
    'unified.custom_values',
    'unified.links',
    'unified.raw_passes',
    'unified.raw_rows',
    'unified.renamed_targets',
    'unified.row_problems',
    'unified.stale_records',
    'unified.unresolved_references',
  ]);
  const existing = new Map(tables.map(({ name, columns }) => [name, columns]));
  for (const name of Object.keys(ON_COORDINATOR)) expect(existing.get(name)?.[0]).toBe(DISTRIBUTION_COLUMN);
});

test('all records are distributed', () => {
  expect(distributed.filter((name) => name.startsWith('data.'))).toEqual(
    tables.filter(({ name }) => name.startsWith('data.')).map(({ name }) => name),
  );
});

const constraintsOf = (kinds: string, condition: string) =>
  admin.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid::regclass = any($1::regclass[]) and contype in (${kinds}) and ${condition}`,
    [distributed],
  );

test('keys of distributed tables begin with the connection, as Citus requires', async () => {
  const first = `(select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1])`;
  expect((await constraintsOf(`'p', 'u'`, `${first} <> '${DISTRIBUTION_COLUMN}'`)).rows).toEqual([]);
});

test('only the foreign key of chunks is given up: an upload locks its entry instead', async () => {
  expect((await constraintsOf(`'f'`, 'true')).rows).toEqual([{ name: 'content_chunks_of_connection' }]);
});

test('distributed tables have what Citus can distribute: no triggers, no identity columns, only the policy of tenants', async () => {
  const { rows } = await admin.query(
    `select relname from pg_class c where oid = any($1::regclass[]::oid[])
        and (exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal)
          or exists (select from pg_attribute where attrelid = c.oid and attidentity <> '')
          or (select array_agg(polname::text) from pg_policy where polrelid = c.oid) is distinct from array['tenant'])`,
    [distributed],
  );
  expect(rows).toEqual([]);
});
