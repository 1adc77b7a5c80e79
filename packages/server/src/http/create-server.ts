import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { answerClientError } from './client-error.ts';
import { type AppOptions, createApp } from './create-app.ts';

export interface ServerOptions extends AppOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host?: string;
}

export interface Server {
  /** Address on this machine, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Settles when the checks of all operations are compiled; requests are served before. */
  readonly warmed: Promise<void>;
  /** Lets requests under way end, then settles. */
  close(): Promise<void>;
}

const LONGEST_HEADERS = 32 * 1024;

/** Starts to listen. Rejects when the port is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { app, validator, operations } = createApp(options);
  const server = createHttpServer(
    { maxHeaderSize: LONGEST_HEADERS, requestTimeout: 60_000, keepAliveTimeout: 65_000 },
    app,
  );
  server.on('clientError', answerClientError);
  server.listen(options.port, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const closing = new AbortController();
  return {
    url: urlOf(server.address()),
    warmed: validator.warm(operations, closing.signal),
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

function urlOf(address: ReturnType<ReturnType<typeof createHttpServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
