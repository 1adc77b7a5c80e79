import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The parsed JSON body; otherwise the text as received. */
  readonly body: unknown;
}

/** A reply: JSON, or `cut`: headers and half a body, then the connection is closed; or `silent`: no response. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly cut?: boolean;
  readonly silent?: boolean;
}

export interface AnsweringServer {
  readonly url: string;
  /** Requests in order of arrival. */
  readonly arrived: Arrived[];
  /** Resolves when request number `count` has arrived. */
  arrival(count: number): Promise<void>;
}

/** A server on a free port that sends the first reply to the first request and so on; the last one is repeated. */
export async function answering(...replies: (Reply | ((request: Arrived) => Reply))[]): Promise<AnsweringServer> {
  const arrived: Arrived[] = [];
  const awaited: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const arriving = await read(request);
    arrived.push(arriving);
    const reply = replies[Math.min(arrived.length, replies.length) - 1] ?? {};
    write(response, typeof reply === 'function' ? reply(arriving) : reply);
    for (const { count, resolve } of awaited) if (arrived.length >= count) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    arrival: (count) =>
      new Promise((resolve) => (arrived.length >= count ? resolve() : awaited.push({ count, resolve }))),
  };
}

async function read(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: text === '' ? undefined : isJson(request) ? JSON.parse(text) : text,
  };
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') ?? true;
}

function write(response: ServerResponse, { status = 200, headers = {}, json, text, cut, silent }: Reply): void {
  if (silent) return;
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  response.writeHead(status, { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers });
  if (!cut) {
    response.end(body);
    return;
  }
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}
