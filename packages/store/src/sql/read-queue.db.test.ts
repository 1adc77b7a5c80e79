import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import type { DocumentRead } from './document-reads.ts';
import { fairClients } from './fair-clients.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { bindConnection, fixedStatement } from './statement.ts';

const { url } = await testDatabase();
const pool = new pg.Pool({
  connectionString: url,
  Client: TappedClient,
  max: 2,
  onConnect: async (client) => void (await client.query({ ...bindConnection, values: [''] })),
});
afterAll(() => pool.end());

const before = { statement: fixedStatement('select 1'), values: [] };
/** The beginning of the transaction: reads that are sent together have the same one. */
const NOW = 'select to_json(now())::text';

function readOf(text: string, connectionId = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b'): DocumentRead {
  const statement = { statement: fixedStatement(text), values: [] };
  return { connectionId, before, statement, documents: new JoinedDocuments(10) };
}

/** Clients of which each owner may use one. */
function oneClient(waitMs = 10_000) {
  const clientsOf = fairClients(pool, { most: 1, waitMs });
  const { use, read } = clientsOf('one');
  return {
    clientsOf,
    textOf: async (text: string) => String((await read(readOf(text))).documents.json),
    /** Uses the client of the owner until the returned function is called. */
    async hold() {
      const [held, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = use(() => {
        taken.resolve();
        return held.promise;
      });
      await taken.promise;
      return () => {
        held.resolve();
        return holder;
      };
    },
  };
}

/** Runs reads that have to wait for the same client. */
async function together({ textOf, hold }: ReturnType<typeof oneClient>, texts: readonly string[]) {
  const release = await hold();
  const waiting = texts.map(textOf);
  await release();
  return Promise.all(waiting);
}

test('reads that wait for a client are sent together, at most four at a time', async () => {
  const times = await together(oneClient(), Array(6).fill(NOW));
  expect(times.map((time) => times.indexOf(time))).toEqual([0, 0, 0, 0, 4, 4]);
});

test('those of different owners are not', async () => {
  const clients = oneClient();
  const release = await clients.hold();
  const own = clients.textOf(NOW);
  const other = await clients.clientsOf('other').read(readOf(NOW));
  await release();
  expect(await own).not.toBe(String(other.documents.json));
});

test('a read that took long is sent alone, until it is quick again', async () => {
  await pool.query('create table pace as select 0.15 as seconds');
  const clients = oneClient();
  const paced = 'select to_json(now())::text from pace, pg_sleep(seconds)';
  await clients.textOf(paced);
  await pool.query('update pace set seconds = 0');
  const [one, alone, two] = await together(clients, [NOW, paced, NOW]);
  expect([two, alone === one]).toEqual([one, false]);
  const [three, joined] = await together(clients, [NOW, paced]);
  expect(joined).toBe(three);
});

test('a read that waits too long for a client is refused, and later ones are not affected', async () => {
  const { textOf, hold } = oneClient(1);
  const release = await hold();
  await expect(textOf(NOW)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  await release();
  expect(await textOf('select 1::text')).toBe('1');
});

test('a lost database connection is reported as unavailable, and replaced', async () => {
  const { textOf } = oneClient();
  pool.once('error', () => {});
  await expect(textOf('select pg_terminate_backend(pg_backend_pid())::text')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await textOf('select 1::text')).toBe('1');
});
