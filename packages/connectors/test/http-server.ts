import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../src/http/http-client.ts';
import { HttpFailure } from '../src/http/http-failure.ts';
import { parsePrivateHosts } from '../src/net/private-hosts.ts';

/** Servers and clients that a test opened; closed after it. */
const opened: { close(): void | Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** A server for plain bytes: `talk` is called with a socket and everything that has arrived on it. */
export async function rawServer(talk: (socket: Socket, heard: string) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk;
      talk(socket, heard);
    });
  });
  opened.push({ close: () => void server.close(() => undefined) });
  opened.push({ close: () => sockets.forEach((socket) => void socket.destroy()) });
  return listen(server);
}

export async function httpServer(listener: RequestListener): Promise<URL> {
  const server = createHttpServer(listener);
  opened.push({ close: () => server.closeAllConnections() }, { close: () => void server.close() });
  return listen(server);
}

async function listen(server: Server | HttpServer): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** A client that waits longer than a busy machine can stall. */
export function client(options: HttpClientOptions = {}): HttpClient {
  const patient = { timeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const privateHosts = parsePrivateHosts(undefined);
  const created = createHttpClient({ allowPrivate: true, privateHosts, ...patient, ...options });
  opened.push(created);
  return created;
}

export async function failure(sending: Promise<unknown>): Promise<HttpFailure> {
  const outcome = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof HttpFailure) return outcome;
  throw new Error(`expected a failure, got ${outcome}`);
}

/** For tests: closes all servers immediately. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}
