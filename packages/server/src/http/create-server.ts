import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type App, type AppOptions, createApp } from './create-app.ts';
import {
  refuseExpectation,
  refuseRequest,
  refuseTunnel,
  requestFault,
  respondToClientError,
} from './socket/early-errors.ts';
import { createInFlight } from './socket/in-flight.ts';
import { inTurn } from './socket/in-turn.ts';

interface ListenOptions {
  /** 0 selects any free port. */
  readonly port: number;
  readonly host?: string;
  /** Milliseconds that a request may take to arrive completely; 300,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that open requests have to finish when the server closes; 35,000 by default. */
  readonly closeTimeoutMs?: number;
}

export interface ServerOptions extends AppOptions, ListenOptions {}

export interface Server {
  /** Address on this machine, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** From now on, the response to each new request closes its connection, so that clients open the next one to another server. */
  beginDrain(): void;
  /** Stops accepting connections, gives open requests a limited time to finish, and stores the request log. */
  close(): Promise<void>;
}

const LONGEST_HEADERS = 32 * 1024;
const LONGEST_HEADERS_MS = 60_000;
/** Enough for a file of 50 MB over a 2 Mbit/s connection. */
const LONGEST_REQUEST_MS = 300_000;
/** A client waits at most 30 seconds for the outcome of its write. */
const LONGEST_CLOSE_MS = 35_000;

/** Starts listening. Rejects if the port is in use. */
export function createServer(options: ServerOptions): Promise<Server> {
  return listen((closing) => createApp(options, closing), options);
}

/** The same with an application that `createFor` creates; the signal aborts when the server closes. */
export async function listen(createFor: (closing: AbortSignal) => App, options: ListenOptions): Promise<Server> {
  const closing = new AbortController();
  const { handle, outbox, storeRequests } = createFor(closing.signal);
  const { requestTimeoutMs = LONGEST_REQUEST_MS, closeTimeoutMs = LONGEST_CLOSE_MS } = options;
  let isDraining = false;
  const server = createHttpServer(
    {
      maxHeaderSize: LONGEST_HEADERS,
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, LONGEST_HEADERS_MS),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, LONGEST_HEADERS_MS) / 2,
      keepAliveTimeout: 65_000,
      // Node would send the refusal without a body.
      requireHostHeader: false,
    },
    inTurn((request, response) => {
      if (isDraining) response.shouldKeepAlive = false;
      const fault = requestFault(request);
      if (fault === undefined) handle(request, response);
      else refuseRequest(request, response, outbox, fault);
    }),
  );
  server.on('clientError', respondToClientError);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (request, response) => refuseExpectation(request, response, outbox));
  const inFlight = createInFlight(server);
  server.listen(options.port, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server.address()),
    beginDrain() {
      isDraining = true;
    },
    async close() {
      closing.abort();
      await inFlight.drain(closeTimeoutMs);
      await storeRequests();
    },
  };
}

function urlOf(address: ReturnType<ReturnType<typeof createHttpServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The server is not listening on a port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
