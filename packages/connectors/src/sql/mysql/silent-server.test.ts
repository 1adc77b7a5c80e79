import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, expect, test, vi } from 'vitest';
import { type MysqlServer, startEncryptedServer, startSilentServer } from '../../../test/mysql-server.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { SystemError } from '../../system-error.ts';
import { openDatabase } from './mysql-database.ts';

const rules = { privateHosts: parsePrivateHosts('*'), allowPrivate: true };
const opened = (url: string, rest: { statementTimeoutMs?: number; maxReceivedBytes?: number } = {}) =>
  openDatabase(url, { statementTimeoutMs: 100, events: {}, rules, ...rest });

const servers: MysqlServer[] = [];
const started = async (starting: Promise<MysqlServer>) => {
  const server = await starting;
  servers.push(server);
  return server;
};
afterAll(() => {
  for (const server of servers) server.stop();
});

const SILENT = 'The database did not respond within 5100 ms';
const REFUSED = 'Refused on this side';

/** Each is the command after which the server stops responding. A rollback does not replace the failure that led to it. */
test.concurrent.each([
  ['while a connection is prepared', 'SELECT VERSION', 'unavailable', SILENT],
  ['while a statement is prepared', 'SELECT 1', 'unavailable', SILENT],
  ['at the beginning of a transaction', 'START TRANSACTION', 'unavailable', SILENT],
  ['at a commit', 'COMMIT', 'unknown', SILENT],
  ['at a rollback', 'ROLLBACK', 'rejected', REFUSED],
])('a server that is silent %s fails the statement, and its connection is closed', async (_, silentAt, kind, words) => {
  const server = await started(startSilentServer(silentAt));
  const database = opened(server.url);
  const work = async () => {
    if (silentAt === 'ROLLBACK') throw new SystemError('rejected', REFUSED);
  };
  const query = silentAt.startsWith('SELECT') ? database.query('SELECT 1') : database.transaction(work);
  await expect(query).rejects.toMatchObject({ kind, words });
  const [socket] = server.sockets;
  if (socket && !socket.readableEnded) await once(socket, 'end');
  await database.close();
});

test('close does not wait for a statement in progress', async () => {
  const server = await started(startSilentServer('SELECT 1'));
  const database = opened(server.url, { statementTimeoutMs: 600_000 });
  const query = expect(database.query('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
  await vi.waitUntil(() => server.sockets[0]?.listenerCount('data') === 0, { timeout: 60_000 });
  await database.close();
  await query;
});

const MEGABYTE = 1024 * 1024;
const OFFERED = 64 * MEGABYTE;

test('an encrypted server cannot send more than the limit before it accepts the login', async () => {
  const closed = Promise.withResolvers<number>();
  const server = await started(
    startEncryptedServer((socket) => {
      const parts = Array.from({ length: OFFERED / 65_536 }, () => Buffer.alloc(65_536, 0xff));
      socket.on('close', () => closed.resolve(socket.bytesWritten));
      socket.once('data', () => Readable.from(parts).pipe(socket));
    }),
  );
  const database = opened(`${server.url}?ssl-mode=REQUIRED`, { maxReceivedBytes: MEGABYTE });
  await expect(database.query('SELECT 1')).rejects.toMatchObject({
    ...{ kind: 'invalid', words: 'The database sends more than 1048576 bytes' },
  });
  expect(await closed.promise).toBeLessThan(OFFERED / 2);
  await database.close();
});

test('an encrypted connection whose bytes are counted can be used', async () => {
  const server = await started(startEncryptedServer());
  const database = opened(`${server.url}?ssl-mode=REQUIRED`, { maxReceivedBytes: MEGABYTE });
  expect(await database.transaction(async () => 'committed')).toBe('committed');
  await database.close();
});
