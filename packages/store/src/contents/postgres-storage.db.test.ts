import { text } from 'node:stream/consumers';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { gadget } from '../../test/gadget.ts';
import { find, findContent, openContent, storeContent } from '../index.ts';

const { url, freshScope, admin } = await testDatabase();

/** More than there are database connections. */
const MANY = 30;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
  return rows.length;
}

test('however many files arrive, and however slowly they are stored, records can be read', async () => {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('begin; lock table unified.content_chunks in access exclusive mode');
  const stored = Array.from({ length: MANY }, (_, n) => storeContent(freshScope(), bytesOf(`file ${n}`)));
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(await find(freshScope(), gadget, '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b')).toBeUndefined();
  await holder.query('rollback');
  await holder.end();
  expect((await Promise.all(stored)).map(({ sizeBytes }) => sizeBytes)).toEqual(
    Array.from({ length: MANY }, (_, n) => `file ${n}`.length),
  );
});

test('however many files are downloaded, records can be read', async () => {
  const scope = freshScope();
  const { sha256 } = await storeContent(scope, bytesOf('a file'));
  const content = (await findContent(scope, sha256)) ?? expect.fail('the content is gone');
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('begin; lock table unified.content_chunks in access exclusive mode');
  const downloads = Array.from({ length: MANY }, () => text(openContent(scope, content, { start: 0, end: 6 })));
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(await find(freshScope(), gadget, '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b')).toBeUndefined();
  await holder.query('rollback');
  await holder.end();
  expect(await Promise.all(downloads)).toEqual(Array.from({ length: MANY }, () => 'a file'));
});
