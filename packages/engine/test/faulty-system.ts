import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What goes wrong with one call. `away` refused before it was read (503) · `lost` carried out, but the response is lost ·
 * `dropped` not carried out, and no response · `garbage` carried out, unusable response · `no` refused with a message of the
 * system · `garbled` refused with a message that contains NUL · `locked` credentials refused (401) · `bill` 402 · `forbidden`
 * 403 · `clash` another client changes the same row (409) · `taken` a row with this value exists (409) · `held` other rows
 * refer to the row (409) · `vague` not carried out, with a response that does not state it (202) · `veiled` the same, and its list
 * cannot be read (203) · `hidden` carried out, with the same response · `busy` 429 with Retry-After 1 · `slow` done after 300 ms
 */
export type Fault =
  | 'away'
  | 'lost'
  | 'dropped'
  | 'garbage'
  | 'no'
  | 'garbled'
  | 'locked'
  | 'bill'
  | 'forbidden'
  | 'clash'
  | 'taken'
  | 'held'
  | 'vague'
  | 'veiled'
  | 'hidden'
  | 'busy'
  | 'slow';

type Held = 'page' | 'look' | 'row';

export interface StoredRow {
  id: number;
  changed: number;
  [field: string]: unknown;
}

/** A small business system that misbehaves on request, behind a real socket. */
export interface FaultySystem {
  readonly url: string;
  readonly rows: Map<number, StoredRow>;
  /** All changes, in the order in which they took effect: `create 1`, `update 1`, `act 1 close`. */
  readonly log: string[];
  /** Faults for the next calls that change something (`write`) or read (`read`), one each; null means no fault. */
  readonly faults: { write: (Fault | null)[]; read: (Fault | null)[] };
  /** Computes the next page of a pass, or the next read of all rows or of one row, and delays it until `letGo`. */
  holdNext(what: Held): { made: Promise<void>; letGo(): void };
  /** Admits this number of further changes; later ones wait until they are admitted. Unlimited at first. */
  admit(changes: number): void;
  /** The same for pages of passes. */
  admitPages(pages: number): void;
  /** Number of requests for pages that wait until they are admitted. */
  waiting(): number;
  /** Transforms a new row. */
  onCreate(row: Record<string, unknown>): Record<string, unknown>;
  /** Transforms the values of an update or action. */
  onChange(values: Record<string, unknown>): Record<string, unknown>;
  /** The state of a row after an action. */
  onAction(action: string): string;
  /** Number of calls made so far. */
  calls(): number;
  /** Number of open sockets. */
  connections(): number;
  /** Adds or changes a row, as another client of the system would. */
  put(row: Partial<StoredRow>): StoredRow;
  close(): Promise<void>;
}

/** Page size that returns all rows, which is requested to search for a row. */
export const ALL_ROWS = 1_000_000;

export async function startFaultySystem(): Promise<FaultySystem> {
  const rows = new Map<number, StoredRow>();
  const log: string[] = [];
  const faults: FaultySystem['faults'] = { write: [], read: [] };
  let calls = 0;
  let clock = 0;
  let lastId = 0;

  const put = (row: Partial<StoredRow>) => {
    const id = row.id ?? lastId + 1;
    lastId = Math.max(lastId, id);
    clock += 1;
    const stored: StoredRow = { ...rows.get(id), ...row, id, changed: clock };
    rows.set(id, stored);
    return stored;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const [, id, action] = /^\/rows(?:\/(\d+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const body = await readBody(request);
    if (request.method === 'GET') {
      if (id === undefined) return page(rows, clock, searchParams);
      const row = rows.get(Number(id));
      if (!row) response.statusCode = 404;
      return row ?? null;
    }
    if (request.method === 'POST' && id === undefined) {
      const row = put(system.onCreate(body));
      log.push(`create ${row.name}`);
      return row;
    }
    if (!rows.has(Number(id))) {
      response.statusCode = 404;
      return null;
    }
    if (request.method === 'DELETE') rows.delete(Number(id));
    else put({ ...system.onChange(body), ...(action && { state: system.onAction(action) }), id: Number(id) });
    log.push([request.method === 'DELETE' ? 'delete' : action ? 'act' : 'update', id, action ?? body.name].join(' '));
    return rows.get(Number(id)) ?? null;
  };

  let held: { what: Held; made(): void; free: Promise<void> } | undefined;
  const holdBack = async (what: Held | 'other') => {
    if (held?.what !== what) return;
    const { made, free } = held;
    held = undefined;
    made();
    await free;
  };

  const [changes, pages] = [turnstile(), turnstile()];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    calls += 1;
    const isRead = request.method === 'GET';
    const what = kindOf(request);
    if (!isRead) await changes.pass(response);
    if (what === 'page') await pages.pass(response);
    const fault = (isRead ? faults.read : faults.write).shift() ?? null;
    const refusal = refusals[fault ?? ''];
    if (refusal) return respond(response, refusal.status, refusal.words, refusal.headers);
    if (fault === 'dropped') return request.socket.destroy();
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
    const result = await answer(request, response);
    if (isRead) await holdBack(what);
    if (fault === 'lost') return request.socket.destroy();
    if (fault === 'hidden') return respond(response, 203, 'Received');
    if (fault === 'garbage') return respond(response, 200, '<html>Welcome</html>');
    respond(response, response.statusCode, JSON.stringify(result));
  };
  const server = createServer((request, response) => {
    // A client that was killed gets no response, and its request is not carried out.
    serve(request, response).catch(() => request.socket.destroy());
  });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const system: FaultySystem = {
    url: `http://127.0.0.1:${port}`,
    rows,
    log,
    faults,
    calls: () => calls,
    put,
    onCreate: (row) => row,
    onChange: (values) => values,
    onAction: (action) => action,
    connections: () => connections,
    admit: changes.admit,
    admitPages: pages.admit,
    waiting: pages.waiting,
    holdNext(what) {
      const [made, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { what, made: made.resolve, free: free.promise };
      return { made: made.promise, letGo: free.resolve };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return system;
}

/** Lets the admitted number of requests pass; a client that disconnects while it waits does not count. */
function turnstile() {
  let admitted = Infinity;
  let entrance = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    waiting: () => waiting,
    async pass(response: ServerResponse): Promise<void> {
      waiting += 1;
      while (admitted === 0) await entrance.promise;
      waiting -= 1;
      if (response.destroyed) throw new Error('The client has disconnected.');
      admitted -= 1;
    },
    admit(more: number): void {
      admitted = more;
      entrance.resolve();
      entrance = Promise.withResolvers<void>();
    },
  };
}

/** What a call reads: a page of a pass, all rows, one row, or something else. */
function kindOf({ method, url = '' }: IncomingMessage): Held | 'other' {
  const { pathname, searchParams } = new URL(url, 'http://x');
  if (method !== 'GET') return 'other';
  if (pathname !== '/rows') return 'row';
  const limit = Number(searchParams.get('limit') ?? 0);
  if (limit === 0) return 'other';
  return limit < ALL_ROWS ? 'page' : 'look';
}

const refusals: Readonly<Record<string, { status: number; words: string; headers?: Record<string, string> }>> = {
  away: { status: 503, words: 'Down for maintenance' },
  no: { status: 422, words: 'Name is not to our taste' },
  garbled: { status: 422, words: 'Name is not\0 to our taste' },
  locked: { status: 401, words: 'Who are you?' },
  bill: { status: 402, words: 'Subscription expired' },
  forbidden: { status: 403, words: 'Ask your administrator' },
  clash: { status: 409, words: 'Another user is changing this row' },
  taken: { status: 409, words: 'There is a row with this name' },
  held: { status: 409, words: 'Other rows refer to this one' },
  vague: { status: 202, words: 'Received' },
  veiled: { status: 203, words: 'Received' },
  busy: { status: 429, words: 'Slow down', headers: { 'retry-after': '1' } },
};

function respond(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) {
  response.writeHead(status, headers).end(body);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

/** Rows after an id that changed since `since`, ordered by id. */
function page(rows: Map<number, StoredRow>, clock: number, query: URLSearchParams) {
  const [after, since, limit] = ['after', 'since', 'limit'].map((name) => Number(query.get(name) ?? 0));
  const matching = [...rows.values()]
    .filter((row) => row.id > (after ?? 0) && row.changed > (since ?? 0))
    .sort((a, b) => a.id - b.id);
  return { clock, rows: matching.slice(0, limit), more: matching.length > (limit ?? 0) };
}
