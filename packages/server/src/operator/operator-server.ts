import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

interface OperatorServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
}

export interface OperatorServer {
  /** Address on this machine. */
  readonly url: string;
  close(): Promise<void>;
}

interface OperatorPage {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Serves what operators and their tools read, on a port of its own that is not public: `/livez`, `/readyz` and `/metrics`.
 * Rejects if the port is in use.
 */
export async function createOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const pages: Readonly<Record<string, () => Promise<OperatorPage>>> = {
    '/livez': async () => ({ status: 200, type: TEXT, body: 'alive\n' }),
    '/readyz': async () => readinessPage(await options.readiness()),
    '/metrics': async () => ({ status: 200, type: options.metrics.type, body: await options.metrics.text() }),
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const page = pages[(request.url ?? '').split('?')[0] ?? ''];
    if (!page) return send(response, { status: 404, type: TEXT, body: `Pages: ${Object.keys(pages).join(', ')}\n` });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return send(response, { status: 405, type: TEXT, body: 'Use GET.\n' });
    }
    try {
      send(response, await page());
    } catch (err) {
      options.logger.warn({ err, path: request.url }, 'operator page failed');
      send(response, { status: 500, type: TEXT, body: 'This page failed. The log has the reason.\n' });
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The operator port is not listening.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${host}:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function readinessPage({ isReady, ...checks }: Readiness): OperatorPage {
  const body = JSON.stringify({ status: isReady ? 'ready' : 'not ready', ...checks });
  return { status: isReady ? 200 : 503, type: JSON_TYPE, body: `${body}\n` };
}

function send(response: ServerResponse, { status, type, body }: OperatorPage): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
