import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { ScopedStatement } from './scoped-statement.ts';
import { bindConnection, fixedStatement } from './statement.ts';

const { url } = await testDatabase();
const client = new pg.Client(url);
await client.connect();
await client.query({ ...bindConnection, values: [''] });
afterAll(() => client.end());

const connectionId = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const setting = `select current_setting('app.connection_id', true)`;
const send = (text: string, values: string[] = []) =>
  client.query(new ScopedStatement(connectionId, fixedStatement(text), values, {})).result;
const afterwards = async () => (await client.query(`${setting} as id`)).rows[0].id;

test('the connection is set for the statement that is sent with it, and unset afterwards', async () => {
  expect((await send(setting)).rows).toEqual([[connectionId]]);
  expect(await afterwards()).toBe('');
});

test('it is unset after a statement that fails, and the client stays usable', async () => {
  const failures: [string, string[], string][] = [
    ['select no_such_column', [], 'does not exist'],
    ['select $1::int', ['x'], 'invalid input syntax'],
    ['select 1 / $1::int', ['0'], 'division by zero'],
  ];
  for (const [text, values, message] of [...failures, ...failures]) {
    await expect(send(text, values)).rejects.toThrow(message);
    expect(await afterwards()).toBe('');
  }
  expect((await send('select 1 / $1::int', ['1'])).rows).toEqual([['1']]);
});

test('both run in one transaction, which ends with them', async () => {
  const [[first] = []] = (await send('select txid_current()')).rows;
  const [[second] = []] = (await send('select txid_current()')).rows;
  expect(second).not.toBe(first);
  await send('create table made_in_scope (n int)');
  expect((await client.query('select count(*) from made_in_scope')).rows).toEqual([{ count: '0' }]);
});

test('a client keeps a limited number of prepared statements', async () => {
  for (let n = 0; n < 450; n++) await send(`select ${n}, ${setting.slice(7)}`);
  const { rows } = await client.query(
    'select count(*)::int as kept, bool_or(name = $1) as bound from pg_prepared_statements',
    [bindConnection.name],
  );
  expect(rows[0].bound).toBe(true);
  expect(rows[0].kept).toBeLessThanOrEqual(402);
  expect((await send(`select 0, ${setting.slice(7)}`)).rows).toEqual([['0', connectionId]]);
});

/** Runs a statement after `select $1`, which is prepared under its own name. */
const sendAfter = (value: string, text: string, values: string[] = [], name = 'value_before') => {
  const before = { statement: { name, text: 'select $1::text' }, values: [value] };
  return client.query(new ScopedStatement(connectionId, fixedStatement(text), values, { before: [before] })).result;
};

test('a statement that runs before another stays prepared, whatever else is sent', async () => {
  for (let n = 0; n < 450; n++) await sendAfter('state', `select ${n}, 'after'`);
  expect(await sendAfter('other', `select 0, 'after'`)).toMatchObject({ rows: [['0', 'after']], before: 'other' });
});

test('both can be used again after either has failed', async () => {
  for (const name of ['before_1', 'before_2']) {
    const text = `select 10 / $1::int, '${name}'`;
    await expect(sendAfter('state', text, ['0'], name)).rejects.toThrow('division by zero');
    expect(await sendAfter('state', text, ['5'], name)).toMatchObject({ rows: [['2', name]], before: 'state' });
  }
  const invalid = 'select no_such_column';
  for (const name of ['before_3', 'before_3'])
    await expect(sendAfter('state', invalid, [], name)).rejects.toThrow('does not exist');
});

test('there is no value if the preceding statement returns no row', async () => {
  const before = { statement: fixedStatement('select 1 where false'), values: [] };
  const statement = new ScopedStatement(connectionId, fixedStatement('select 2'), [], { before: [before] });
  expect(await client.query(statement).result).toMatchObject({ rows: [['2']], before: null });
});
