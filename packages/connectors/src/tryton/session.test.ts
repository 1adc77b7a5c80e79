import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TrytonSession } from './tryton-session.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

const opened: { close(): void | Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

interface ServerOptions {
  readonly timeoutMs?: number;
  readonly onPreferences?: () => void;
  /** The response to the request for the version. Defaults to that of Tryton 6.0. */
  readonly version?: (call: Call, response: ServerResponse) => void;
  /** Receives the paths of all calls. */
  readonly paths?: string[];
}

/** A session with a server that accepts every login and responds to calls of models with `answer`. */
async function sessionWith(
  answer: (call: Call, response: ServerResponse, request: IncomingMessage) => void,
  { timeoutMs = 60_000, onPreferences = () => {}, version = withoutLogin, paths = [] }: ServerOptions = {},
): Promise<TrytonSession> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const call = JSON.parse(body) as Call;
    paths.push(request.url ?? '');
    if (call.method === 'common.server.version') version(call, response);
    else if (call.method === 'common.db.login') result(call, response, [7, 'session']);
    else if (call.method === 'common.db.logout') result(call, response, null);
    else if (call.method.endsWith('get_preferences')) {
      onPreferences();
      result(call, response, { company: 3 });
    } else answer(call, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = { user: 'u', password: 'p', timeoutMs, allowPrivateHosts: true };
  const session = new TrytonSession(
    { server: address, database: 'erp', ...settings },
    { secretIssued: () => undefined },
  );
  opened.push(
    { close: () => session.close() },
    { close: () => server.closeAllConnections() },
    { close: () => void server.close() },
  );
  return session;
}

/** Tryton 6.0 takes `/rpc/` for a database. */
function withoutLogin(_: Call, response: ServerResponse): void {
  response.writeHead(401).end();
}

function result({ id }: Call, response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, result: value }));
}

const read = (session: TrytonSession) => session.call('party.party', 'search', [[]]);
const change = (session: TrytonSession) => session.call('party.party', 'create', [[{}]], { changes: true });

describe('a call', () => {
  test('carries the context of the user last, and the session', async () => {
    const heard: unknown[] = [];
    const session = await sessionWith((call, response, request) => {
      heard.push(
        call.method,
        call.params,
        Buffer.from(String(request.headers.authorization).slice(8), 'base64').toString(),
      );
      result(call, response, [1]);
    });
    const context = { active_test: false };
    expect(await session.call('party.party', 'search', [[]], { context })).toEqual([1]);
    expect(heard).toEqual(['model.party.party.search', [[], { company: 3, active_test: false }], 'u:7:session']);
  });

  test('logs in again, once, when the session has expired', async () => {
    let calls = 0;
    const session = await sessionWith((call, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(401).end();
      else result(call, response, [42]);
    });
    expect(await change(session)).toEqual([42]);
    expect(calls).toBe(2);
  });

  test('fails if the new session is not accepted either', async () => {
    const session = await sessionWith((_, response) => response.writeHead(401).end());
    await expect(read(session)).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});

describe('calls go to', () => {
  const page = (status: number) => (_: Call, response: ServerResponse) => response.writeHead(status).end('<p>');
  const refusal = ({ id }: Call, response: ServerResponse) =>
    response.writeHead(200).end(JSON.stringify({ id, error: ['database "rpc" does not exist', ''] }));
  const pathsOf = async (version: NonNullable<ServerOptions['version']>) => {
    const paths: string[] = [];
    const session = await sessionWith((call, response) => result(call, response, []), { version, paths });
    await read(session);
    return paths;
  };

  test('the address of later series, if the server states its version there', async () => {
    const paths = await pathsOf((call, response) => result(call, response, '8.2.4'));
    expect(paths).toEqual(['/rpc/', '/erp/rpc/', '/erp/rpc/', '/erp/rpc/']);
  });

  test.each([
    { name: 'a request for a login', version: withoutLogin },
    { name: 'not found', version: page(404) },
    { name: 'a page', version: page(200) },
    { name: 'a redirect', version: page(302) },
    { name: 'a refusal', version: refusal },
  ])('the address of earlier series after $name', async ({ version }) => {
    expect(await pathsOf(version)).toEqual(['/rpc/', '/erp/', '/erp/', '/erp/']);
  });

  test('no address while the server fails, so that its series is not guessed', async () => {
    const answers = [page(503), page(429), (call: Call, response: ServerResponse) => result(call, response, '8.2.4')];
    const paths: string[] = [];
    const version = (call: Call, response: ServerResponse) => answers.shift()?.(call, response);
    const session = await sessionWith((call, response) => result(call, response, []), { version, paths });
    await expect(read(session)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(read(session)).rejects.toMatchObject({ kind: 'throttled' });
    await read(session);
    expect(paths.slice(0, 4)).toEqual(['/rpc/', '/rpc/', '/rpc/', '/erp/rpc/']);
  });
});

test('requests accept compressed responses', async () => {
  const session = await sessionWith(({ id }, response, request) => {
    const body = JSON.stringify({ id, result: [request.headers['accept-encoding']] });
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
  });
  expect(await read(session)).toEqual(['gzip']);
});

describe('an unusable response', () => {
  const page = '<!doctype html><title>Welcome</title>';
  const answers: Record<string, (call: Call, response: ServerResponse) => void> = {
    'a page': (_, response) => response.writeHead(200).end(page),
    'half of a response': ({ id }, response) => response.writeHead(200).end(`{"id":${id},"result":[{"na`),
    'a response to another call': (call, response) => result({ ...call, id: call.id + 1 }, response, []),
    'no result': ({ id }, response) => response.writeHead(200).end(`{"id":${id}}`),
    nothing: (_, response) => response.writeHead(200).end(),
    'a redirect': (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  };
  test.each(Object.keys(answers))('is invalid: %s', async (name) => {
    const session = await sessionWith((call, response) => answers[name]?.(call, response));
    await expect(change(session)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('a failing server', () => {
  test.each([
    { status: 429, headers: { 'retry-after': '17' }, change: 'throttled', read: 'throttled', retryAfter: 17 },
    { status: 429, headers: {}, change: 'throttled', read: 'throttled', retryAfter: 60 },
    { status: 503, headers: { 'retry-after': '9' }, change: 'unknown', read: 'unavailable', retryAfter: 9 },
    { status: 503, headers: {}, change: 'unknown', read: 'unavailable', retryAfter: undefined },
    { status: 502, headers: {}, change: 'unknown', read: 'unavailable', retryAfter: undefined },
    { status: 500, headers: {}, change: 'unknown', read: 'unavailable', retryAfter: undefined },
    { status: 403, headers: {}, change: 'forbidden', read: 'forbidden', retryAfter: undefined },
  ])('with status $status and $headers: a change is $change, a read $read', async (expected) => {
    const session = await sessionWith((_, response) => response.writeHead(expected.status, expected.headers).end());
    await expect(change(session)).rejects.toMatchObject({ kind: expected.change, retryAfter: expected.retryAfter });
    await expect(read(session)).rejects.toMatchObject({ kind: expected.read });
  });

  test('that does not respond in time leaves the outcome of a change unknown, and a read is repeated', async () => {
    const heard = new Set<unknown>();
    const session = await sessionWith(({ params: [values] }) => heard.add((values as { n?: number }[])[0]?.n), {
      timeoutMs: 200,
    });
    const failure = async (n: number): Promise<unknown> => {
      const error: unknown = await session.call('m', 'create', [[{ n }]], { changes: true }).catch((error) => error);
      // On a busy machine, the timeout may expire before a call arrives.
      return heard.has(n) ? error : failure(n + 1);
    };
    expect(await failure(1)).toMatchObject({ kind: 'unknown' });
    await expect(read(session)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('that closes the connection after it received a change leaves its outcome unknown', async () => {
    const session = await sessionWith((_, __, request) => request.socket.resetAndDestroy());
    await expect(change(session)).rejects.toMatchObject({ kind: 'unknown' });
  });

  test('that is unreachable had no effect', async () => {
    const session = await sessionWith((call, response) => result(call, response, []));
    await read(session);
    await Promise.all(opened.splice(1).map((each) => each.close()));
    await expect(change(session)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test("the server's clock is that of the last response, and is requested again after some seconds", async () => {
  const heard: string[] = [];
  const session = await sessionWith(
    (call, response) => {
      response.setHeader('date', 'Fri, 20 Nov 2026 09:30:00 GMT');
      heard.push(call.method);
      result(call, response, []);
    },
    { onPreferences: () => heard.push('preferences') },
  );
  await read(session);
  expect(new Date(await session.serverTime()).toISOString()).toBe('2026-11-20T09:30:00.000Z');
  expect(heard).toEqual(['preferences', 'model.party.party.search']);
  const later = performance.now() + 11_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  await session.serverTime();
  vi.restoreAllMocks();
  expect(heard).toEqual(['preferences', 'model.party.party.search', 'preferences']);
});
