import {
  type Driver,
  type Json,
  type PullRequest,
  type Row,
  SystemError,
  type SystemErrorKind,
} from '@unified/connectors';
import { ALL_ROWS, type StoredRow } from './faulty-system.ts';

/** How long a call may still take effect in the faulty system after it was sent, in milliseconds. */
export const SETTLE_AFTER = 150;

/** Timeout of a call in milliseconds, longer than a busy machine needs: the system itself reports lost calls. */
const PATIENCE = 60_000;

/** The faulty system supports everything except files and passthrough calls. */
type FaultyDriver = Required<Omit<Driver, 'contents' | 'origin' | 'passthrough' | 'version'>>;

/** Driver for a `FaultySystem`. Creates are found by position and values, as in systems that store no write id. */
export function openFaultyDriver(url: string, timeoutMs = PATIENCE): FaultyDriver {
  let isClosed = false;
  const call = async <T>(method: string, path: string, body?: Row) => {
    if (isClosed) throw new Error('The session was closed.');
    return request<T>(url, method, path, body, timeoutMs);
  };
  const page = (query: string) => call<{ clock: number; rows: StoredRow[]; more: boolean }>('GET', `/rows?${query}`);
  const read = async (key: string) => (await call<StoredRow | null>('GET', `/rows/${key}`)) ?? null;

  const pull = async ({ from, limit }: PullRequest, since: number) => {
    const { rows, more } = await page(`after=${Number(from ?? 0)}&since=${since}&limit=${limit}`);
    return { rows: rows.map((row) => ({ key: String(row.id), row })), next: more ? (rows.at(-1)?.id ?? null) : null };
  };

  return {
    settleAfterMs: SETTLE_AFTER,
    check: async () => void (await page('limit=1')),
    discover: {
      columns: async () => null,
      async probe() {
        const { rows } = await page('limit=1');
        const sample = rows[0] ? { key: String(rows[0].id), row: rows[0] } : null;
        return { sample, problems: [], notes: [] };
      },
    },
    pull: (request) => pull(request, 0),
    changes: {
      mark: async () => (await page('limit=0')).clock,
      pull: (request) => pull(request, Number(request.since ?? 0)),
    },
    read: async (_stream, key) => read(key),
    writes: {
      async positionBeforeCreate() {
        const { rows } = await page(`limit=${ALL_ROWS}`);
        return rows.at(-1)?.id ?? 0;
      },
      async create(_stream, values) {
        const { id } = await call<StoredRow>('POST', '/rows', values);
        if (typeof id !== 'number') throw new SystemError('invalid', 'The response has no id.');
        return { key: String(id) };
      },
      async findCreated(_stream, values, { position }: { position: Json }) {
        const { rows } = await page(`after=${Number(position)}&limit=${ALL_ROWS}`);
        const isSame = (row: object) =>
          Object.entries(values).every(([name, value]) => Reflect.get(row, name) === value);
        const [found, other] = rows.filter(isSame);
        if (other) throw new SystemError('unconfirmed', 'The system has two new rows with these values');
        return found ? { key: String(found.id) } : null;
      },
      update: async (_stream, key, values) => void (await call('PUT', `/rows/${key}`, values)),
      remove: async (_stream, key) => void (await call('DELETE', `/rows/${key}`)),
    },
    actions: {
      act: async (_stream, key, action, values) => void (await call('POST', `/rows/${key}/${action}`, values)),
    },
    close: async () => {
      isClosed = true;
    },
  };
}

const kinds: Readonly<Record<number, SystemErrorKind>> = {
  202: 'unconfirmed',
  203: 'unsearched',
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  422: 'rejected',
  429: 'throttled',
  503: 'unavailable',
};

/** The meaning of the system's 409 responses, by their messages. */
const conflicts: Readonly<Record<string, SystemErrorKind>> = {
  'Another user is changing this row': 'conflict',
  'There is a row with this name': 'duplicate',
  'Other rows refer to this one': 'in-use',
};

async function request<T>(
  url: string,
  method: string,
  path: string,
  body: Row | undefined,
  timeoutMs: number,
): Promise<T> {
  const { status, text, retryAfter } = await send(`${url}${path}`, method, body, timeoutMs);
  const kind = status === 409 ? conflicts[text] : kinds[status];
  if (kind) throw new SystemError(kind, text, retryAfter === null ? {} : { retryAfter: Number(retryAfter) });
  if (status === 404 && method !== 'GET') throw new SystemError('gone', 'No such row');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SystemError('invalid', 'The response is not JSON.', { cause });
  }
}

async function send(url: string, method: string, body: Row | undefined, timeoutMs: number) {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  } catch (cause) {
    const refused = cause instanceof Error && JSON.stringify(cause.cause ?? '').includes('ECONNREFUSED');
    throw new SystemError(refused ? 'unavailable' : 'unknown', 'No answer.', { cause });
  }
}
