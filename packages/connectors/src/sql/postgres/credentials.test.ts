import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { openDatabase } from './postgres-database.ts';

/** Requests the password in plain text, then ends the connection. */
const PASSWORD_REQUEST = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 3]);

/** Everything that a client sends to a server that requests its password. */
async function sentTo(credentials: string): Promise<string> {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (startup) => {
      received.push(startup);
      socket.write(PASSWORD_REQUEST);
      socket.once('data', (password) => {
        received.push(password);
        socket.destroy();
      });
    });
  });
  server.listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const rules = { privateHosts: parsePrivateHosts('*'), allowPrivate: true };
  const url = `postgres://${credentials}localhost:${port}/erp`;
  const database = openDatabase(url, { statementTimeoutMs: 60_000, events: {}, rules });
  onTestFinished(() => database.close());
  await expect(database.query('select 1')).rejects.toThrow();
  return Buffer.concat(received).toString('latin1');
}

test.each(['', 'reader@', 'reader:@'])('no credentials of the environment are sent: "%s"', async (credentials) => {
  vi.stubEnv('PGUSER', 'service-user');
  vi.stubEnv('PGPASSWORD', 'service-password');
  onTestFinished(() => void vi.unstubAllEnvs());
  const sent = await sentTo(credentials);
  expect(sent).not.toMatch(/service-/);
  expect(sent).toContain(credentials.replace(/\W+/, ''));
});

test('the credentials of the connection string are sent', async () => {
  expect(await sentTo('reader:s%40cret@')).toMatch(/user\0reader\0.*s@cret/s);
});
