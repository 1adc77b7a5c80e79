import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isFailedAddress } from '../../net/address-guard.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { openDatabase } from './postgres-database.ts';

/** A port of this machine, and how often it was called. */
async function listening() {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  server.listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, calls: () => calls };
}

/** The failure of the first statement on a database, and whether its address was refused. */
async function refusal(url: string, privateHosts = parsePrivateHosts(undefined), allowPrivate = false) {
  const rules = { privateHosts, allowPrivate };
  const database = openDatabase(url, { statementTimeoutMs: 60_000, events: {}, rules });
  onTestFinished(() => database.close());
  return database.query('select 1').then(
    () => 'no error',
    (error: Error) => `${error.message}${isFailedAddress(error) ? ' (refused)' : ''}`,
  );
}

test.each([
  ['an address', 'postgres://u:p@127.0.0.1:PORT/erp'],
  ['an address in IPv6', 'postgres://u:p@[::1]:PORT/erp'],
  ['a name', 'postgres://u:p@localhost:PORT/erp'],
  ['a parameter', 'postgres://u:p@db.example:PORT/erp?host=127.0.0.1'],
  ['no host', 'postgres:///erp?port=PORT'],
  ['an encrypted connection', 'postgres://u:p@localhost:PORT/erp?sslmode=require'],
])('a database on this machine is not called: %s', async (_name, url) => {
  const { port, calls } = await listening();
  expect(await refusal(url.replace('PORT', String(port)))).toMatch(/is not a public address.* \(refused\)$/);
  expect(calls()).toBe(0);
});

test('a Unix socket is not opened', async () => {
  expect(await refusal('postgres://u:p@db.example/erp?host=/tmp')).toMatch(/is not a public address.* \(refused\)$/);
});

test('an address in a private network, or of the metadata service of a cloud, is not called', async () => {
  expect(await refusal('postgres://u:p@10.0.0.5/erp')).toContain('10.0.0.5 is not a public address');
  const metadata = 'postgres://u:p@169.254.169.254/erp';
  expect(await refusal(metadata, parsePrivateHosts(undefined), true)).toMatch(/is not a public address.* \(refused\)$/);
});

test.each([
  ['the operator lists it', parsePrivateHosts('127.0.0.1'), false],
  ['the settings allow private hosts', parsePrivateHosts(undefined), true],
])('a database on this machine is called if %s', async (_name, privateHosts, allowPrivate) => {
  const { port, calls } = await listening();
  await refusal(`postgres://u:p@127.0.0.1:${port}/erp`, privateHosts, allowPrivate);
  expect(calls()).toBe(1);
});
