import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What happens to one call. By default, the call and its response are passed on. */
export interface Mishap {
  /** Awaited before the call is passed on. */
  readonly before?: () => Promise<void>;
  /** If false, the call never arrives. */
  readonly arrives?: boolean;
  /** Awaited after the response has arrived, before it is passed on. */
  readonly after?: () => Promise<void>;
  /** What the caller gets: the response, a closed connection, or an unrelated page. */
  readonly answer?: 'own' | 'cut' | 'html';
}

/** A proxy between the service and Tryton. */
export interface TrytonProxy {
  readonly url: string;
  /** Methods of Tryton that were called through it, in the order of arrival. */
  readonly calls: readonly string[];
  /** Applies a mishap to the next call of a matching method, after `skip` calls; resolves when the mishap is over. */
  meet(method: RegExp, mishap: Mishap, skip?: number): Promise<void>;
  /** Removes unused mishaps. */
  clear(): void;
  stop(): Promise<void>;
}

interface Trap {
  readonly method: RegExp;
  readonly mishap: Mishap;
  skip: number;
  readonly over: PromiseWithResolvers<void>;
}

/** Starts a proxy in front of the server at `target`, on a free port. */
export async function startProxy(target: string): Promise<TrytonProxy> {
  const calls: string[] = [];
  let traps: Trap[] = [];

  const trapFor = (method: string) => {
    const trap = traps.find((each) => each.method.test(method) && each.skip-- === 0);
    traps = traps.filter((each) => each !== trap);
    return trap;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request);
    const { method } = JSON.parse(body) as { method: string };
    calls.push(method);
    const trap = trapFor(method);
    const arrive = () => forward(target, request, body);
    await pass(arrive, request.socket, response, trap?.mishap ?? {}).finally(() => trap?.over.resolve());
  };
  const server = createServer((request, response) => {
    // If the caller was killed, or Tryton is unavailable, the connection is closed.
    serve(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    meet(method, mishap, skip = 0) {
      const over = Promise.withResolvers<void>();
      traps.push({ method, mishap, skip, over });
      return over.promise;
    },
    clear() {
      traps = [];
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Passes a call on or not, depending on the mishap. A call that was passed on is carried out even if the caller has
 * disconnected.
 */
async function pass(
  arrive: () => ReturnType<typeof forward>,
  socket: Socket,
  response: ServerResponse,
  { before, arrives = true, after, answer = 'own' }: Mishap,
): Promise<void> {
  await before?.();
  const answered = arrives ? await arrive() : undefined;
  await after?.();
  if (answer === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
  else if (answer === 'cut' || !answered) socket.destroy();
  else response.writeHead(answered.status, answered.headers).end(answered.text);
}

async function forward(target: string, { url = '/', headers }: IncomingMessage, body: string) {
  const { authorization } = headers;
  const answered = await fetch(target + url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body,
  });
  const kept = ['content-type', 'date', 'retry-after', 'www-authenticate'].flatMap((name) => {
    const value = answered.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: answered.status, headers: Object.fromEntries(kept), text: await answered.text() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
