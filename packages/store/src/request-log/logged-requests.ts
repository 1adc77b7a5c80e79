import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { arrayText, isUuid } from '../sql/parameter.ts';
import { insertLogRows, type LogTable } from './insert-log-rows.ts';
import { firstIdAt, timeOfId } from './time-of-id.ts';

/** A request of an application, without bodies and credentials. */
export interface LoggedRequest {
  readonly applicationId: string;
  /** Connection of the token; undefined for a token for the Management API. */
  readonly connectionId: string | undefined;
  /** Token of the connection that it was sent with. */
  readonly tokenId: string | undefined;
  /** When the response was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly code: string | undefined;
}

const LOG: LogTable<LoggedRequest> = {
  log: 'request_log',
  columns: [
    ['applicationId', 'uuid', ({ applicationId }) => applicationId],
    ['connectionId', 'uuid', ({ connectionId }) => connectionId],
    ['tokenId', 'uuid', ({ tokenId }) => tokenId],
    ['requestId', 'text', ({ requestId }) => requestId],
    ['operation', 'text', ({ operation }) => operation],
    ['method', 'text', ({ method }) => method],
    ['path', 'text', ({ path }) => path],
    ['status', 'smallint', ({ status }) => String(status)],
    ['milliseconds', 'real', ({ milliseconds }) => String(milliseconds)],
    ['code', 'text', ({ code }) => code],
  ],
};

/**
 * Stores when tokens were last used, at most once a minute each, so that their rows are rarely written. A row that another
 * transaction has locked, such as one that is being deleted, is skipped.
 */
const MARK_USED = `
  with used as (select id, to_timestamp(max(at) / 1000) as at from unnest($1::uuid[], $2::float8[]) u (id, at) group by id),
  due as (
    select t.id, used.at from unified.connection_tokens t join used using (id)
     where t."lastUsedAt" is null or t."lastUsedAt" < used.at - interval '1 minute'
     order by t.id for no key update of t skip locked)
  update unified.connection_tokens t set "lastUsedAt" = date_trunc('milliseconds', due.at) from due where t.id = due.id`;

/**
 * Stores requests, all or none, and when their tokens were last used. Creates the partitions of their days. Throws
 * SERVICE_UNAVAILABLE.
 */
export function insertRequestLogs(store: Store, rows: readonly LoggedRequest[]): Promise<void> {
  const withToken = rows.filter(({ tokenId }) => tokenId !== undefined);
  const used = [withToken.map(({ tokenId }) => tokenId ?? null), withToken.map(({ at }) => String(at))];
  return insertLogRows(store, LOG, rows, async (client) => {
    if (withToken.length > 0) await client.query(MARK_USED, used.map(arrayText));
  });
}

/** An entry of the request log. */
export interface RequestLogEntry {
  readonly id: string;
  readonly at: string;
  readonly requestId: string;
  readonly connectionId: string | null;
  readonly tokenId: string | null;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly code: string | null;
}

/** Which entries a page contains. */
export interface RequestLogQuery {
  readonly connectionId?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** Only requests after this time, RFC 3339. */
  readonly since?: string | undefined;
  /** Only requests before this time, RFC 3339. */
  readonly until?: string | undefined;
  /** Only entries older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const READ = 'id, "requestId", "connectionId", "tokenId", operation, method, path, status, milliseconds, code';
/** Larger than any id of version 7. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Entries of the application, newest first. */
export async function pageOfRequestLog(scope: ApplicationScope, query: RequestLogQuery): Promise<RequestLogEntry[]> {
  const { connectionId, operation, status, since, until, before = LAST_ID, limit } = query;
  const from = since === undefined ? firstIdAt(0) : firstIdAt(Date.parse(since) + 1);
  const to = until === undefined ? LAST_ID : firstIdAt(Date.parse(until));
  const { rows } = await asOwner<Omit<RequestLogEntry, 'at'>>(
    storeOf(scope),
    `select ${READ} from unified.request_log
      where "applicationId" = $1 and id >= $2 and id < $3 and id < $4
        and ($5::uuid is null or "connectionId" = $5) and ($6::text is null or operation = $6)
        and ($7::smallint is null or status = $7)
      order by id desc limit $8`,
    [scope.applicationId, from, to, before, connectionId ?? null, operation ?? null, status ?? null, limit],
  );
  return rows.map(withTime);
}

/** One entry, or null when the application has no such entry. */
export async function requestLogById(scope: ApplicationScope, id: string): Promise<RequestLogEntry | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<Omit<RequestLogEntry, 'at'>>(
    storeOf(scope),
    `select ${READ} from unified.request_log where "applicationId" = $1 and id = $2`,
    [scope.applicationId, id],
  );
  return rows[0] ? withTime(rows[0]) : null;
}

function withTime(row: Omit<RequestLogEntry, 'at'>): RequestLogEntry {
  return { ...row, at: new Date(timeOfId(row.id)).toISOString() };
}
