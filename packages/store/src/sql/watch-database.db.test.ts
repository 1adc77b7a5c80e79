import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { watchDatabase } from '../index.ts';

const { url, adminUrl } = await testDatabase();

test('a process that cannot reach its database for too long is notified of the cause', async () => {
  const admin = new pg.Client(adminUrl('postgres'));
  await admin.connect();
  const loss = Promise.withResolvers<Error>();
  const watch = watchDatabase({ databaseUrl: url, onLost: loss.resolve, limitMs: 1, everyMs: 1 });
  await admin.query('alter database unified allow_connections false');
  expect((await loss.promise).message).toMatch(/^The database could not be reached for 1 seconds: .*"unified"/);
  watch.close();
  await admin.end();
});
