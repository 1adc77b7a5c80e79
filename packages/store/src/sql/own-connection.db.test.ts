import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { withConnection } from './own-connection.ts';

const { url, admin } = await testDatabase();

test('a connection that breaks between two statements fails the next one and does not end the process', async () => {
  const work = withConnection(url, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    // `once` of node:events would also listen for errors.
    const ended = Promise.withResolvers<void>();
    client.once('end', ended.resolve);
    await admin.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await ended.promise;
    return client.query('select 1');
  });
  await expect(work).rejects.toThrow('not queryable');
});
