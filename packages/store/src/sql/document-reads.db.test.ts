import { once } from 'node:events';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { DocumentReads, PendingRead, sendReads } from './document-reads.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { type BoundStatement, bindConnection, budgetOf, fixedStatement } from './statement.ts';

const { url } = await testDatabase();
let client: TappedClient;

beforeEach(async () => {
  client = new TappedClient({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query({ ...bindConnection, values: [''] });
  return () => client.end();
});

const connections = ['0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b', '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6c'] as const;
const [first, second] = connections;
const bound = (text: string, ...values: string[]): BoundStatement => ({ statement: fixedStatement(text), values });
const documentOfSetting = bound(`select to_json(current_setting('app.connection_id'))::text`);
/** Has another value each time it runs. */
const moment = bound('select clock_timestamp()::text');

function readOf(connectionId: string, statement = documentOfSetting, before = moment): PendingRead {
  return new PendingRead({ connectionId, before, statement, documents: new JoinedDocuments(10) });
}

/** Sends reads together and returns, for each, its documents or the message of its error. */
async function send(reads: readonly PendingRead[]) {
  const results = Promise.allSettled(reads.map(({ result }) => result));
  await sendReads(client, reads).catch(() => {});
  return (await results).map((result) =>
    result.status === 'fulfilled' ? result.value.documents.json : (result.reason as Error).message,
  );
}

const own = (connectionId: string) => JSON.stringify(connectionId);

test('each read has the setting of its own connection, and none remains', async () => {
  const mixed = [first, second, second, first];
  expect(await send(mixed.map((id) => readOf(id)))).toEqual(mixed.map(own));
  const { rows } = await client.query(`select current_setting('app.connection_id', true) as id`);
  expect(rows).toEqual([{ id: '' }]);
});

test('they run in one transaction', async () => {
  const started = bound('select to_json(now())::text');
  const [one, other] = await send([readOf(first, started), readOf(second, started)]);
  expect(one).toBe(other);
  expect(await send([readOf(first, started)])).not.toEqual([one]);
});

test('successive reads of a connection share the preceding statement, others do not', async () => {
  const reads = [
    readOf(first),
    readOf(first),
    readOf(second),
    readOf(second, documentOfSetting, bound('select $1', 'x')),
  ];
  const results = Promise.all(reads.map(({ result }) => result));
  await sendReads(client, reads);
  const [one, two, three, four] = (await results).map(({ before }) => before);
  expect(two).toBe(one);
  expect(three).not.toBe(one);
  expect(four).toBe('x');
});

test('a preceding statement without rows has no value, whatever an earlier one returned', async () => {
  const reads = [readOf(first), readOf(second, documentOfSetting, bound('select 1 where false'))];
  const results = Promise.all(reads.map(({ result }) => result));
  await sendReads(client, reads);
  expect((await results)[1]).toMatchObject({ before: null });
});

test('a read that fails does not affect the others', async () => {
  const failing = [
    readOf(first, bound('select no_such_column')),
    readOf(first, bound('select (1 / $1::int)::text', '0')),
    readOf(second, documentOfSetting, bound('select $1::int', 'x')),
  ];
  for (const failed of failing) {
    const [one, message, three] = await send([readOf(first), failed, readOf(second)]);
    expect([one, three]).toEqual([own(first), own(second)]);
    expect(message).toMatch(/does not exist|division by zero|invalid input syntax/);
  }
  expect(await send([readOf(second)])).toEqual([own(second)]);
});

test('every read may fail', async () => {
  const failing = () => readOf(first, bound('select (1 / $1::int)::text', '0'));
  const messages = await send([failing(), failing(), failing()]);
  expect(messages).toEqual(Array(3).fill('division by zero'));
});

test('if the database connection is lost, the reads that have not ended fail', async () => {
  const ending = readOf(second, bound('select pg_terminate_backend(pg_backend_pid())::text'));
  const [one, ...others] = await send([readOf(first), ending, readOf(second)]);
  expect(one).toBe(own(first));
  expect(others).toEqual(Array(2).fill(expect.stringContaining('terminat')));
});

test('two reads with the same new statement prepare it once', async () => {
  const fresh = bound(`select to_json('new'::text)::text`);
  expect(await send([readOf(first, fresh), readOf(second, fresh)])).toEqual(['"new"', '"new"']);
  const { rows } = await client.query('select from pg_prepared_statements where statement = $1', [
    fresh.statement.text,
  ]);
  expect(rows).toHaveLength(1);
});

test('a statement that was closed in a round trip with a failure can be used again', async () => {
  const numbered = (n: number) => readOf(first, bound(`select ${n}::text`));
  for (let n = 0; n < 405; n++) await send([numbered(n)]);
  await send([readOf(first, bound('select (1 / $1::int)::text', '0')), numbered(405)]);
  for (let n = 0; n < 10; n++) expect(await send([numbered(n)])).toEqual([String(n)]);
});

test('large documents have memory of their own, and each read its own budget', async () => {
  const large = (letter: string) => bound(`select repeat('${letter}', 300000) from generate_series(1, 3)`);
  const reads = ['a', 'b', 'c'].map(
    (letter) =>
      new PendingRead({
        ...{ connectionId: first, before: moment, statement: large(letter), documents: new JoinedDocuments(10) },
        budget: budgetOf(letter === 'b' ? 700_000 : 1000),
      }),
  );
  const results = Promise.all(reads.map(({ result }) => result));
  await sendReads(client, reads);
  const texts = (await results).map(({ documents: { json } }) => new TextDecoder().decode(json as Uint8Array));
  expect(texts).toEqual(['a'.repeat(300_000), `${'b'.repeat(300_000)},${'b'.repeat(300_000)}`, 'c'.repeat(300_000)]);
});

test('a read for which pg waits too long fails, and rows that arrive later do no harm', async () => {
  const limited = new TappedClient({ connectionString: url, query_timeout: 50 });
  await limited.connect();
  const slow = readOf(first, bound("select repeat('x', 100) || pg_sleep(0.002) from generate_series(1, 200)"));
  const [drained, sent] = [once(limited, 'drain'), sendReads(limited, [slow])];
  const results = await Promise.allSettled([slow.result, sent]);
  expect(results).toMatchObject(Array(2).fill({ status: 'rejected', reason: { message: 'Query read timeout' } }));
  await drained;
  await limited.end();
});

test('a client without a tap refuses reads, and stays usable', async () => {
  const plain = new pg.Client(url);
  await plain.connect();
  const read = readOf(first);
  const results = await Promise.allSettled([read.result, sendReads(plain, [read])]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await plain.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await plain.end();
});

test('a late error of an earlier round trip does not take the rows of the next one', async () => {
  const earlier = new DocumentReads([readOf(first)]);
  await client.query(earlier).rest;
  const slow = bound('select n::text from generate_series(1, 3000) n, pg_sleep(0.001) order by n');
  const next = readOf(first, slow);
  const sent = sendReads(client, [next]);
  earlier.handleError(new Error('Query read timeout'));
  await sent;
  expect((await next.result).documents).toMatchObject({ count: 10, hasMore: true });
});
