import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

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

const zeros = (count: number) => Buffer.alloc(count);

/** The first packet of a server: MySQL 8, logins with a password, and TLS. */
const greeting = packet(
  0,
  Buffer.concat([
    ...[Buffer.from('\x0a8.0.0\0'), zeros(4), Buffer.from('12345678\0')],
    // Capabilities of protocol 4.1 with TLS, the character set, the status, and the length of the challenge.
    ...[Buffer.from([0x08, 0xaa]), Buffer.from([45, 2, 0]), Buffer.from([0x08, 0x00]), Buffer.from([21]), zeros(10)],
    Buffer.from('123456789012\0mysql_native_password\0'),
  ]),
);
const SSL_REQUEST_BYTES = 36;
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

function packet(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, sequence]);
  header.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([header, payload]);
}

export interface MysqlServer {
  readonly url: string;
  /** Its connections, in order. */
  readonly sockets: readonly Socket[];
  stop(): void;
}

/**
 * A server that implements the MySQL protocol up to the login, on its own port. No statement has a result; from the statement
 * that begins with `silentAt` on, the server does not respond.
 */
export function startSilentServer(silentAt: string): Promise<MysqlServer> {
  return start((socket) => accept(socket, 2, silentAt));
}

/** Accepts the login, with a packet of this number, and then statements. */
function accept(socket: Duplex, sequence: number, silentAt?: string): void {
  let next = sequence;
  socket.on('data', (bytes: Buffer) => {
    // The text follows the length and the kind of the command.
    if (silentAt !== undefined && bytes.subarray(5).toString().startsWith(silentAt))
      return socket.removeAllListeners('data').resume();
    socket.write(packet(next, OK));
    next = 1;
  });
}

/** A server that switches to TLS. `serve` is called before the client sends its login; by default, the login is accepted. */
export function startEncryptedServer(
  serve: (socket: TLSSocket) => void = (secure) => accept(secure, 3),
): Promise<MysqlServer> {
  return start((socket) => {
    socket.once('data', (bytes) => {
      // The start of the TLS handshake can arrive together with the request for it.
      socket.pause();
      socket.unshift(bytes.subarray(SSL_REQUEST_BYTES));
      const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      serve(secure);
    });
  });
}

async function start(serve: (socket: Socket) => void): Promise<MysqlServer> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.write(greeting);
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mysql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/erp`,
    sockets,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
