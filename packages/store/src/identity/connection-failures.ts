import { asOwner, type Store } from '../access/store.ts';

/** Why a stream was not read, or a write was not carried out. */
export interface ConnectionFailure {
  /** The stream that was not read; null if a write failed. */
  readonly stream: string | null;
  /** Error code; null if the error was stored by an earlier release. */
  readonly code: string | null;
  /** Message of the connected system, if it sent one. */
  readonly message: string;
  /** RFC 3339; null if the error was stored by an earlier release. */
  readonly since: string | null;
}

/** What is stored about the last use of a connected system. */
export interface KnownFailures {
  /** When a stream was last synchronized; null if never. */
  readonly lastSyncAt: string | null;
  /**
   * Failures that have not been resolved: of the last run of each stream; of the write at the head of the queue; and of the
   * last failed write, if its system was not reached or refused the credentials, and no write succeeded and no stream was
   * synchronized since.
   */
  readonly failures: readonly ConnectionFailure[];
}

const FAILED_STREAMS = `select stream, "errorCode" code, error message, "failingSince" since
  from unified.sync_streams where connection_id = connection.id and error is not null`;

/** The write at the head of the queue, which is being retried. */
const REPEATED_WRITE = `select null stream, head.error->>'code' code, head.error->>'message' message, head."startedAt" since
  from (select error, "startedAt" from unified.writes
         where connection_id = connection.id and status in ('pending', 'running', 'unknown') order by seq limit 1) head
  where head.error is not null`;

const FAILED_WRITE = `select null stream, last.error->>'code' code, last.error->>'message' message, last."finishedAt" since
  from (select "writeId", error, "finishedAt" from unified.writes
         where connection_id = connection.id and status = 'failed' order by "writeId" desc limit 1) last
  where last.error->>'code' in ('SERVICE_SYSTEM_UNAUTHORIZED', 'SERVICE_SYSTEM_UNAVAILABLE')
    and not exists (select from unified.writes later
                     where later.connection_id = connection.id and later.status = 'succeeded' and later."writeId" > last."writeId")
    and not exists (select from unified.sync_streams
                     where connection_id = connection.id and "lastSuccessAt" > last."finishedAt")`;

/** What is stored about the last use of connections, by connection id; one query for all. */
export async function connectionFailures(store: Store, ids: readonly string[]): Promise<Map<string, KnownFailures>> {
  const { rows } = await asOwner<KnownFailures & { id: string }>(
    store,
    `select connection.id,
       (select max("lastSuccessAt") from unified.sync_streams where connection_id = connection.id) "lastSyncAt",
       (select coalesce(json_agg(failure order by since, stream), '[]')
          from (${FAILED_STREAMS} union all (${REPEATED_WRITE}) union all (${FAILED_WRITE})) failure) failures
     from unnest($1::uuid[]) connection(id)`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, lastSyncAt, failures }) => [id, { lastSyncAt, failures: failures.map(timed) }]));
}

/** PostgreSQL formats times within JSON differently. */
function timed(failure: ConnectionFailure): ConnectionFailure {
  return { ...failure, since: failure.since === null ? null : new Date(failure.since).toISOString() };
}
