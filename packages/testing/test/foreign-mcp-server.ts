import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

type Doc = Readonly<Record<string, unknown>>;

/** A server of a third party that speaks the Model Context Protocol without sessions, as an earlier version defines it. */
export interface ForeignServer {
  readonly url: string;
  /** What it lists; tests change it. */
  tools: readonly Doc[];
  /** Calls that it received, with the headers of the request. */
  readonly calls: { readonly name: string; readonly given: Doc; readonly headers: IncomingHttpHeaders }[];
  /** Whether it lists its tools; else it returns an error. */
  isListing: boolean;
  /** Milliseconds before each of endless pages of its list; null: the list has one page. */
  pageMs: number | null;
  /** Status of a response to calls that is no message; null: they are served. */
  broken: number | null;
  /** Called before its tools are listed. */
  onList(): Promise<void>;
  /** Number of requests that it received. */
  requests: number;
  /** What its tools return. */
  result: Doc;
  /** A message with which it refuses calls; null: it does not. */
  refusal: string | null;
  /** Whether it ends the connection of a call without a response. */
  isLost: boolean;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startForeignServer(): Promise<ForeignServer> {
  const state = {
    tools: [] as readonly Doc[],
    calls: [] as ForeignServer['calls'],
    isLost: false,
    refusal: null,
    requests: 0,
    isListing: true,
    pageMs: null,
    broken: null,
    onList: async () => {},
  };
  const result: Doc = { content: [{ type: 'text', text: 'Sunny' }] };
  const server = createServer(async (request, response) => {
    started.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    if (method === 'tools/call') {
      started.calls.push({ name: params.name, given: params.arguments ?? {}, headers: request.headers });
      if (started.isLost) return void request.socket.destroy();
      if (started.broken !== null)
        return void response.writeHead(started.broken, { 'content-type': 'application/json' }).end('{"broken');
    }
    if (id === undefined) return void response.writeHead(202).end();
    const answers: Readonly<Record<string, Doc>> = {
      initialize: {
        ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        serverInfo: { name: 'weather', version: '1.0' },
      },
      'tools/list': { tools: started.tools, ...(started.pageMs !== null && { nextCursor: String(started.requests) }) },
      'tools/call': started.result,
    };
    if (method === 'tools/list') await started.onList();
    if (method === 'tools/list' && started.pageMs !== null) await setTimeout(started.pageMs);
    const fault = method === 'tools/call' ? started.refusal : started.isListing ? null : 'Out of order';
    const answer =
      answers[method] && fault === null
        ? { result: answers[method] }
        : { error: { code: -32601, message: fault ?? 'Unknown method' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: ForeignServer = {
    ...state,
    result,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}
