import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a server received. */
export interface Call {
  readonly method: string;
  /** Path without the query, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Address of the server as the caller used it, `http://127.0.0.1:4711`. */
  readonly origin: string;
}

/** A response; a `body` that is not a text is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How a server behaves, until it is changed. */
export interface Behavior {
  /** Number of next calls that are refused because there were too many. */
  throttled: number;
  /** Number of creates that are carried out, but whose response is lost. */
  lost: number;
  /** Rows per page, if fewer are requested to be returned than the client allows. */
  pageSize: number;
  /** Called before each change, such as a change by another user. */
  beforeChange: (() => void) | undefined;
}

export interface DocumentedServer {
  readonly origin: string;
  readonly received: Call[];
  readonly behavior: Behavior;
  stop(): Promise<void>;
}

/** What a server does with a call. */
export interface Rules {
  respond(call: Call, behavior: Behavior): Answer;
  /** The response to one call too many. */
  throttle(): Answer;
  /** Whether a call requests a token, which is neither throttled nor lost. */
  isSignIn(call: Call): boolean;
  /** Whether a call changes something; by default, if its method is not GET. */
  isChange?(call: Call): boolean;
  /** Whether a call creates something; by default, if its method is POST. */
  isCreate?(call: Call): boolean;
}

/** Starts a server that behaves as the documentation of a system describes. */
export async function startDocumentedServer(rules: Rules): Promise<DocumentedServer> {
  const { respond, throttle, isSignIn } = rules;
  const { isChange = ({ method }) => method !== 'GET', isCreate = ({ method }) => method === 'POST' } = rules;
  const received: Call[] = [];
  const behavior: Behavior = { throttled: 0, lost: 0, pageSize: Number.POSITIVE_INFINITY, beforeChange: undefined };
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const origin = `http://${incoming.headers.host}`;
    const { pathname, searchParams } = new URL(incoming.url ?? '', origin);
    const { method = 'GET', headers } = incoming;
    const call = { method, headers, body, origin, query: searchParams, path: decodeURIComponent(pathname) };
    received.push(call);
    const isOwn = !isSignIn(call);
    if (isOwn && behavior.throttled > 0) {
      behavior.throttled -= 1;
      return send(outgoing, throttle());
    }
    if (isOwn && isChange(call)) behavior.beforeChange?.();
    const answer = respond(call, behavior);
    if (isOwn && isCreate(call) && behavior.lost > 0 && answer.status < 300) {
      behavior.lost -= 1;
      outgoing.destroy();
      return;
    }
    send(outgoing, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behavior,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(outgoing: ServerResponse, { status, headers = {}, body }: Answer): void {
  const isJson = body !== undefined && typeof body !== 'string';
  outgoing.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers });
  outgoing.end(isJson ? JSON.stringify(body) : body);
}
