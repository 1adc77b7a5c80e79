import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { openDatabase } from './postgres-database.ts';

/** Used only here; the client does not verify it. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgo9y6FmqOh4ASWM6n
Nj1MRFLShxjrNgyWCca8fpuGSQShRANCAAT6IUyNzMd6ou4/fU1RfKT5MLi4VDh5
DQa1h01+rshLtoEyCelcm4UgmAxxSqcAltS1bbl1crDyBNnP9ns9KTmT
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUfGy/6rbn3u6v1UZCHBvwaXRRpcYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzEzMzExOVoYDzIxMjYxMDMw
MTMzMTE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT6IUyNzMd6ou4/fU1RfKT5MLi4VDh5DQa1h01+rshLtoEyCelcm4Ug
mAxxSqcAltS1bbl1crDyBNnP9ns9KTmTo1MwUTAdBgNVHQ4EFgQUdV/cRPtkjvhx
gDM20W5T/ZnRYOswHwYDVR0jBBgwFoAUdV/cRPtkjvhxgDM20W5T/ZnRYOswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAxILuF9O9dAAhE438ay6nJ
joxI9rQmqI2bh55VFKGOzwIgCWT5DuQB3/7DNQsrkKW/tpTstg13YMCVSB3JaItU
zx0=
-----END CERTIFICATE-----`;

const MEGABYTE = 1024 * 1024;
/** Bytes that the server tries to send: more than a client with a limit reads into its buffers. */
const OFFERED = 64 * MEGABYTE;

/** The header of a message of the maximum length in PostgreSQL, followed by zeros. */
function* flood() {
  yield Buffer.from([...Buffer.from('N'), 0x3f, 0xff, 0xff, 0xff]);
  for (let sent = 0; sent < OFFERED; sent += 65_536) yield Buffer.alloc(65_536);
}

/**
 * A server that sends an endless message, which a client must buffer until it is complete. Returns its port and the number of
 * bytes that it sent.
 */
async function startFlood(isEncrypted: boolean) {
  let received: Promise<number> = Promise.resolve(0);
  const send = (socket: Socket) => {
    socket.resume();
    const offered = Readable.from(flood());
    const { promise, resolve } = Promise.withResolvers<number>();
    received = promise;
    socket.on('close', () => resolve(socket.bytesWritten));
    socket.on('error', () => offered.destroy());
    offered.pipe(socket as Writable);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (!isEncrypted) return send(socket);
      socket.write('S');
      const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      secure.once('data', () => send(secure));
    });
  });
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

test.each([false, true])('a database cannot send more than the limit (encrypted: %s)', async (isEncrypted) => {
  const server = await startFlood(isEncrypted);
  const rules = { privateHosts: parsePrivateHosts('*'), allowPrivate: true };
  const mode = isEncrypted ? 'no-verify' : 'disable';
  const database = openDatabase(`postgres://u:p@localhost:${server.port}/erp?sslmode=${mode}`, {
    ...{ statementTimeoutMs: 60_000, events: {}, rules },
    maxReceivedBytes: MEGABYTE,
  });
  onTestFinished(() => database.close());
  await expect(database.query('select 1')).rejects.toMatchObject({
    ...{ kind: 'invalid', words: 'The database sends more than 1048576 bytes' },
  });
  expect(await server.received()).toBeLessThan(OFFERED / 2);
});
