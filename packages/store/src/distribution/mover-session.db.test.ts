import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { withConnection } from '../sql/own-connection.ts';
import { MOVER_SESSION } from './mover-session.ts';

const { url } = await testDatabase();

test('the server ends a session whose machine does not respond within 20 seconds', async () => {
  const { rows } = await withConnection(url, async (client) => {
    await client.query(MOVER_SESSION);
    // For a session over TCP, the server returns what its socket has.
    return client.query(`select name, setting::int from pg_settings where name ~ '^tcp_' order by name`);
  });
  expect(rows).toEqual([
    { name: 'tcp_keepalives_count', setting: 3 },
    { name: 'tcp_keepalives_idle', setting: 5 },
    { name: 'tcp_keepalives_interval', setting: 5 },
    { name: 'tcp_user_timeout', setting: 20_000 },
  ]);
});
