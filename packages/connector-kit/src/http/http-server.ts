import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on this machine, with its own port. */
export interface HttpServer {
  /** `http://127.0.0.1:43211` */
  readonly origin: string;
  /** Closes it with its connections. */
  close(): Promise<void>;
}

/** Starts a server. If `serve` throws, the connection of the request is closed. */
export async function startHttpServer(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<HttpServer> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
