import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { insertLogRows, type LogTable } from './insert-log-rows.ts';
import { firstIdAt, timeOfId } from './time-of-id.ts';

/** A call to a connected system that has ended. */
export interface LoggedCall {
  readonly applicationId: string;
  readonly connectionId: string;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly purpose: 'write' | 'read' | 'sync';
  readonly stream: string | undefined;
  /** The write that it is part of. */
  readonly writeId: string | undefined;
  /** Start of the sync run that it is part of, RFC 3339. */
  readonly syncStartedAt: string | undefined;
  readonly milliseconds: number;
  /** `ok`, or the kind of the failure. */
  readonly outcome: string;
  /** Why it failed, without secrets and values of rows. */
  readonly message: string | undefined;
}

const LOG: LogTable<LoggedCall> = {
  log: 'system_calls',
  columns: [
    ['applicationId', 'uuid', ({ applicationId }) => applicationId],
    ['connectionId', 'uuid', ({ connectionId }) => connectionId],
    ['purpose', 'text', ({ purpose }) => purpose],
    ['stream', 'text', ({ stream }) => stream],
    ['writeId', 'uuid', ({ writeId }) => writeId],
    ['syncStartedAt', 'timestamptz', ({ syncStartedAt }) => syncStartedAt],
    ['milliseconds', 'real', ({ milliseconds }) => String(milliseconds)],
    ['outcome', 'text', ({ outcome }) => outcome],
    ['message', 'text', ({ message }) => message],
  ],
};

/** Stores calls, all or none. Throws SERVICE_UNAVAILABLE. */
export function insertSystemCalls(store: Store, calls: readonly LoggedCall[]): Promise<void> {
  return insertLogRows(store, LOG, calls);
}

/** A stored call. */
export interface SystemCall {
  readonly id: string;
  readonly at: string;
  readonly connectionId: string;
  readonly purpose: LoggedCall['purpose'];
  readonly stream: string | null;
  readonly writeId: string | null;
  readonly syncStartedAt: string | null;
  readonly milliseconds: number;
  readonly outcome: string;
  readonly message: string | null;
}

/** Which calls a page contains. */
export interface SystemCallQuery {
  readonly connectionId?: string | undefined;
  readonly writeId?: string | undefined;
  readonly purpose?: LoggedCall['purpose'] | undefined;
  /** Only calls that failed, or only those that did not. */
  readonly failed?: boolean | undefined;
  /** Only calls that ended after this time, RFC 3339. */
  readonly since?: string | undefined;
  /** Only calls that ended before this time, RFC 3339. */
  readonly until?: string | undefined;
  /** Only calls before the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Larger than any id of version 7. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Calls for the application, newest first. */
export async function pageOfSystemCalls(scope: ApplicationScope, query: SystemCallQuery): Promise<SystemCall[]> {
  const { connectionId, writeId, purpose, failed, since, until, before = LAST_ID, limit } = query;
  const from = since === undefined ? firstIdAt(0) : firstIdAt(Date.parse(since) + 1);
  const to = until === undefined ? LAST_ID : firstIdAt(Date.parse(until));
  const { rows } = await asOwner<Omit<SystemCall, 'at'>>(
    storeOf(scope),
    `select id, "connectionId", purpose, stream, "writeId", "syncStartedAt", milliseconds, outcome, message
       from unified.system_calls
      where "applicationId" = $1 and id >= $2 and id < $3 and id < $4
        and ($5::uuid is null or "connectionId" = $5) and ($6::uuid is null or "writeId" = $6)
        and ($7::text is null or purpose = $7) and ($8::boolean is null or (outcome <> 'ok') = $8)
      order by id desc limit $9`,
    [
      ...[scope.applicationId, from, to, before],
      ...[connectionId ?? null, writeId ?? null, purpose ?? null, failed ?? null, limit],
    ],
  );
  return rows.map((row) => ({ ...row, at: new Date(timeOfId(row.id)).toISOString() }));
}
