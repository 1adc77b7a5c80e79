import { expect, it } from 'vitest';
import { unboundTables } from './unbound-tables.ts';

const tables = new Set(['data.vendors', 'data.items', 'unified.writes']);
const unbound = (statement: string) => unboundTables(statement, tables);

it.each([
  ['a parameter', 'select from data.vendors where connection_id = $1 and name = $2'],
  ['a parameter with a cast', 'select from data.vendors v where v.connection_id = $1::uuid'],
  ['a row comparison', 'select from data.vendors where (connection_id, id) = ($1, $2)'],
  [
    'the connection of another table',
    'select from data.vendors v join data.items i on i.connection_id = v.connection_id where v.connection_id = $1',
  ],
  [
    'the connection of the query around it',
    'select (select count(*) from data.items i where i.connection_id = v.connection_id) from data.vendors v where v.connection_id = $1',
  ],
  [
    'a query of WITH',
    'with found as (select * from data.vendors where connection_id = $1) select from found join data.items i on i.connection_id = found.connection_id',
  ],
  ['a table without connections', 'select from unified.applications where id = $1'],
  ['an update', 'update data.vendors set name = $2 where connection_id = $1'],
  [
    'an update by given rows',
    'update data.vendors v set name = g.name from unnest($2::uuid[], $3::text[]) g(id, name) where v.connection_id = $1 and v.id = g.id',
  ],
  ['a delete', 'delete from data.vendors where connection_id = $1 and id = any($2)'],
  ['inserted values', 'insert into data.vendors (connection_id, id) values ($1, $2), ($1, $3)'],
  ['inserted rows', 'insert into data.vendors (id, connection_id) select id, $1 from unnest($2::uuid[]) g(id)'],
  [
    'rows that are moved',
    'insert into data.items (connection_id, id) select connection_id, id from data.vendors where connection_id = $1',
  ],
])('a statement names one connection by %s', async (_, statement) => {
  expect(await unbound(statement)).toEqual([]);
});

it.each([
  ['no condition', 'select from data.vendors', ['data.vendors']],
  ['a condition on other columns', 'select from data.vendors where id = $1', ['data.vendors']],
  ['several connections', 'select from data.vendors where connection_id = any($1)', ['data.vendors']],
  ['a range', 'select from data.vendors where connection_id > $1', ['data.vendors']],
  ['one of two conditions', 'select from data.vendors where connection_id = $1 or name = $2', ['data.vendors']],
  [
    'only one of two tables',
    'select from data.vendors v join data.items i on i.id = v.id where v.connection_id = $1',
    ['data.items'],
  ],
  [
    'only the query around it',
    'select (select count(*) from data.items) from data.vendors where connection_id = $1',
    ['data.items'],
  ],
  [
    'only the second part of a union',
    'select from data.vendors union all select from data.items where connection_id = $1',
    ['data.vendors'],
  ],
  [
    'a subquery of a condition',
    'delete from data.vendors where connection_id = $1 and id in (select id from data.items)',
    ['data.items'],
  ],
  ['an update', 'update data.vendors set name = $1', ['data.vendors']],
  [
    'given rows with their connections',
    'update data.vendors v set name = $2 from unnest($1::uuid[]) g(connection_id) where v.connection_id = g.connection_id',
    ['data.vendors'],
  ],
  [
    'inserted rows of several connections',
    'insert into data.vendors (connection_id, id) select g.connection_id, g.id from unnest($1::uuid[], $2::uuid[]) g(connection_id, id)',
    ['data.vendors'],
  ],
  [
    'inserted rows of all connections',
    'insert into unified.writes (connection_id) select id from unified.connections',
    ['unified.writes'],
  ],
])('a statement does not name one connection by %s', async (_, statement, expected) => {
  expect(await unbound(statement)).toEqual(expected);
});
