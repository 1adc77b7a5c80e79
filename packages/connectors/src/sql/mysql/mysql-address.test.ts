import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isFailedAddress } from '../../net/address-guard.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { addressOf } from './mysql-address.ts';
import { openDatabase } from './mysql-database.ts';

test('a connection string contains a login, a host and a database; both names of the protocol are the same', () => {
  expect(addressOf('mysql://me:a%40b@db.example/erp')).toEqual({
    ...{ host: 'db.example', port: 3306, user: 'me', password: 'a@b', database: 'erp' },
  });
  expect(addressOf('mariadb://me@[::1]:3307/erp%20one?ssl-mode=VERIFY_IDENTITY')).toMatchObject({
    ...{ host: '::1', port: 3307, password: '', database: 'erp one' },
    ssl: { rejectUnauthorized: true, verifyIdentity: true },
  });
});

test.each([
  ['mysql://me:secret@db.example/erp?socketPath=/tmp/db.sock', 'has parameters other than ssl-mode'],
  ['mysql://me:secret@db.example/erp?ssl-mode=MAYBE', 'has an unknown ssl-mode'],
  ['mysql://me:secret@db.example', 'needs a host and a database'],
  ['mysql://me:secret%@db.example/erp', 'contains a %'],
  ['mysql://me:secret@', 'cannot be parsed'],
])('a connection string is refused without showing it: %s', async (url, words) => {
  const rules = { privateHosts: parsePrivateHosts(undefined), allowPrivate: false };
  const database = openDatabase(url, { statementTimeoutMs: 60_000, events: {}, rules });
  const explanation = { remedy: expect.stringContaining('ssl-mode') };
  const refused = { kind: 'unauthorized', words: expect.stringContaining(words), explanation };
  await expect(database.query('SELECT 1')).rejects.toMatchObject(refused);
  await expect(database.query('SELECT 1')).rejects.not.toMatchObject({ words: expect.stringContaining('secret') });
  await database.close();
});

test.each([
  ['an address', '127.0.0.1', undefined, false],
  ['an address in IPv6', '[::1]', undefined, false],
  ['a name', 'localhost', undefined, false],
  ['a host that the operator lists', '127.0.0.1', '127.0.0.1', true],
])('a database on this machine is called only if that is allowed: %s', async (_, host, allowed, isCalled) => {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  }).listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const rules = { privateHosts: parsePrivateHosts(allowed), allowPrivate: false };
  const { port } = server.address() as AddressInfo;
  const database = openDatabase(`mysql://u:p@${host}:${port}/erp`, { statementTimeoutMs: 60_000, events: {}, rules });
  const error = await database.query('SELECT 1').catch((cause: unknown) => cause);
  await database.close();
  expect(error).toMatchObject({ kind: 'unavailable', clientWords: 'The connected system cannot be reached' });
  expect({ isRefused: isFailedAddress(error), calls }).toEqual({ isRefused: !isCalled, calls: isCalled ? 1 : 0 });
});
