import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { changesAfter } from '../index.ts';

const { freshScope, admin } = await testDatabase();

/** Logs this number of changes of makers. The numbers in `deletions` are deletions. */
async function log(connectionId: string, count: number, deletions: readonly number[]): Promise<void> {
  await admin.query(
    `insert into unified.changes (connection_id, seq, entity, id, kind, fields)
     select $1, n, 'Maker', gen_random_uuid(), case when n = any($3) then 'deleted' else 'updated' end, '{}'
       from generate_series(1, $2::int) n`,
    [connectionId, count, deletions],
  );
  await admin.query('insert into unified.change_cursors (connection_id, seq) values ($1, $2)', [connectionId, count]);
}

test('a long log with few selected changes is read in parts, some of which are empty', async () => {
  const scope = freshScope();
  await log(scope.connectionId, 250_000, [99_999, 250_000]);
  const pages: unknown[] = [];
  for (let cursor = '0', more = true; more; ) {
    const page = await changesAfter(scope, cursor, 10, { kinds: ['deleted'] });
    pages.push([page.changes.map(({ seq }) => seq), page.cursor]);
    [cursor, more] = [page.cursor, page.hasMore];
  }
  expect(pages).toEqual([
    [[99_999], '100000'],
    [[], '200000'],
    [[250_000], '250000'],
  ]);
});
