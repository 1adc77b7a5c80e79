import { type Entity, ServiceError } from '@unified/contract';
import { noticesOf, type Scope, sessionOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { noteRefusedCredentials } from '../identity/connection-events.ts';
import { LockLost } from '../locks/lock-lost.ts';
import type { Watch, WatchLimits } from '../sql/notices.ts';
import type { Parameter } from '../sql/parameter.ts';
import { fixedStatement } from '../sql/statement.ts';
import { tableOf } from '../tables/derive-table.ts';
import { emitInScope } from '../webhooks/emit-event.ts';
import {
  type StoredError,
  type StoredStep,
  type StoredWrite,
  WRITE_COLUMNS,
  type WriteLeftover,
  type WriteResolvedRef,
  type WriteResult,
  type WriteStatus,
  type WriteWarning,
} from './stored-write.ts';
import { nextSequence } from './write-queue.ts';

/** Progress of a write that a worker stores. Absent properties stay unchanged. */
export interface Progress {
  readonly steps?: readonly StoredStep[];
  readonly warnings?: readonly WriteWarning[];
  readonly resolvedRefs?: readonly WriteResolvedRef[];
  readonly leftovers?: readonly WriteLeftover[];
  readonly targetId?: string;
}

export interface Outcome extends Progress {
  readonly status: 'succeeded' | 'failed' | 'unknown';
  readonly result?: WriteResult;
  /** The record of `result`, which is kept as it is now: a request that is repeated with its key returns it. */
  readonly written?: { readonly entity: Entity; readonly id: string };
  readonly error?: StoredError;
  /** Whether the records of this service show the result. */
  readonly synced?: boolean;
}

/** An attempt of a write, by its number. */
export interface Attempt {
  readonly writeId: string;
  readonly attempts: number;
}

const STARTED = {
  sql: `status = 'running', attempts = attempts + 1, "startedAt" = now(), "nextAttemptAt" = null`,
  values: [],
};
const OPEN = ['pending', 'running', 'unknown'] as const;
/** The commit does not wait for the disk. If the machine fails within a fraction of a second, the change is lost. */
const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

/** Starts an attempt. Throws SERVICE_WRITE_STATE when the write is settled, for example because it was cancelled. */
export async function startAttempt(scope: Scope, writeId: string): Promise<StoredWrite> {
  return change(scope, writeId, OPEN, STARTED);
}

/**
 * The same for the attempt after this one; throws `LockLost` when another worker has started it. The commit does not wait for the
 * disk: nothing is sent before the steps are saved, and the commit of these writes this one as well.
 */
export async function startNextAttempt(scope: Scope, { writeId, attempts }: Attempt): Promise<StoredWrite> {
  return change(scope, writeId, OPEN, { ...STARTED, attempts, returned: WITHOUT_WAITING });
}

/** Stores all steps of a running write. */
export async function saveSteps(
  scope: Scope,
  writeId: string,
  steps: readonly StoredStep[],
  progress: Omit<Progress, 'steps'> = {},
): Promise<StoredWrite> {
  return change(scope, writeId, ['running', 'unknown'], progressSql({ ...progress, steps }));
}

/**
 * The same for one attempt; call it before and after each step that reaches the system. Throws `LockLost` when another worker has
 * started a newer one. If not `durable`, the commit does not wait for the disk: after a call, what is lost when the machine fails
 * is looked up in the system, as if it had failed before the call ended.
 */
export async function saveStepsOf(
  scope: Scope,
  { writeId, attempts }: Attempt,
  progress: Progress & Required<Pick<Progress, 'steps'>>,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<StoredWrite> {
  const returned = durable ? {} : { returned: WITHOUT_WAITING };
  return change(scope, writeId, ['running', 'unknown'], { ...progressSql(progress), attempts, ...returned });
}

/** Returns a write to the head of its queue, to be retried at `at` (RFC 3339) at the earliest. */
export async function postpone(
  scope: Scope,
  writeId: string,
  {
    at,
    error,
    status = 'pending',
    ...progress
  }: Progress & { at: string; error?: StoredError; status?: 'pending' | 'unknown' },
): Promise<StoredWrite> {
  const noted = progressSql(progress);
  const [n, values] = [noted.values.length + 3, [...noted.values, status, at, error ? JSON.stringify(error) : null]];
  return scope.transaction(async (inner) => {
    const before = status === 'unknown' ? await lockedStatus(inner, writeId) : status;
    const write = await change(inner, writeId, ['running', 'unknown'], {
      sql: `${noted.sql} status = $${n}, "nextAttemptAt" = $${n + 1}, error = $${n + 2}`,
      values,
    });
    if (before !== status) await emitOutcome(inner, write, 'unknown');
    return write;
  });
}

async function lockedStatus(scope: Scope, writeId: string): Promise<WriteStatus | undefined> {
  const [row] = await sessionOf(scope).run<{ status: WriteStatus }>(
    'select status from unified.writes where connection_id = $1 and "writeId" = $2 for update',
    [scope.connectionId, writeId],
  );
  return row?.status;
}

/**
 * Stores the outcome and notifies waiting requests. Call it in the transaction that stores the records, so that a client that
 * is notified of a success finds its result. `unknown` is an outcome for the waiting client, not for the queue: the write stays
 * at its head until it is verified. `finishedAt` is the current clock time, not the start time of the transaction, which began
 * before the last step ended.
 */
export async function settle(scope: Scope, writeId: string, outcome: Outcome): Promise<StoredWrite> {
  return scope.transaction(async (inner) => {
    const { status, result, written, error, synced = false, ...progress } = outcome;
    const noted = progressSql(progress);
    const n = noted.values.length + 3;
    const record = written ? await documentOf(inner, written) : null;
    const texts = [result, error].map((value) => (value === undefined ? null : JSON.stringify(value)));
    const write = await change(inner, writeId, ['running', 'unknown'], {
      returned: NOTIFY_SETTLED,
      sql: `${noted.sql} status = $${n}, result = $${n + 1}, error = $${n + 2}, synced = $${n + 3}, "writtenRecord" = $${n + 4}::json,
        "syncedAt" = case when $${n + 3} then coalesce("syncedAt", clock_timestamp()) end,
        "finishedAt" = case when $${n} = 'unknown' then null else clock_timestamp() end, "nextAttemptAt" = null`,
      values: [...noted.values, status, ...texts, synced, record],
    });
    await emitOutcome(inner, write, status);
    if (error?.code === 'SERVICE_SYSTEM_UNAUTHORIZED') await noteRefusedCredentials(inner);
    return write;
  });
}

/** A record as JSON; null if there is none. In a distributed database, the statement that stores a write cannot read records. */
async function documentOf(scope: Scope, { entity, id }: NonNullable<Outcome['written']>): Promise<string | null> {
  const statement = fixedStatement(`select doc from ${tableOf(entity)} where connection_id = $1 and id = $2`);
  const [row] = await sessionOf(scope).texts(statement, [scope.connectionId, id]);
  return row?.[0] ?? null;
}

/** Emits the event of an outcome. */
function emitOutcome(
  scope: Scope,
  { writeId, operation, entity, targetId }: StoredWrite,
  status: Outcome['status'],
): Promise<void> {
  const data = { connectionId: scope.connectionId, writeId, operation, entity, targetId, status };
  return emitInScope(scope, { type: `write.${status}`, subject: `write ${writeId}`, entity, data });
}

/** Adds a failed or cancelled write to the end of the queue again. Throws SERVICE_WRITE_STATE in any other state. */
export async function requeueWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  return scope.transaction(async (inner) => {
    const seq = await nextSequence(sessionOf(inner), scope.connectionId);
    return change(inner, writeId, ['failed', 'cancelled'], {
      sql: `status = 'pending', seq = $3, error = null, result = null, "finishedAt" = null, "nextAttemptAt" = null, steps = '[]'`,
      values: [seq],
    });
  });
}

/** Requests the immediate verification of a write whose outcome is unknown. Throws SERVICE_WRITE_STATE in any other state. */
export async function makeWriteDue(scope: Scope, writeId: string): Promise<StoredWrite> {
  return change(scope, writeId, ['unknown'], { sql: '"nextAttemptAt" = null', values: [] });
}

/**
 * Makes the writes of a connection that wait for another attempt, or for another search for their outcome, due in this number of
 * seconds at the latest.
 */
export async function makeWritesDue(store: Store, connectionId: string, seconds: number): Promise<void> {
  await asOwner(
    store,
    `update unified.writes set "nextAttemptAt" = now() + make_interval(secs => $2::float8)
      where connection_id = $1 and status in ('pending', 'unknown')
        and "nextAttemptAt" > now() + make_interval(secs => $2::float8)`,
    [connectionId, seconds],
  );
}

/** Cancels a write that has not been sent yet. Throws SERVICE_WRITE_STATE if it was sent. */
export async function markWriteCancelled(scope: Scope, writeId: string): Promise<StoredWrite> {
  const sql = `status = 'cancelled', "finishedAt" = now(), "nextAttemptAt" = null`;
  return change(scope, writeId, ['pending'], { sql, values: [], returned: NOTIFY_SETTLED });
}

interface Assignment {
  /** Assignments; `$1` and `$2` are reserved for the key. */
  readonly sql: string;
  readonly values: readonly Parameter[];
  /** Number of the attempt that the write must be in; absent: any. */
  readonly attempts?: number;
  /** A call that runs with the change, as SQL. */
  readonly returned?: string;
}

/** Assignments for the progress that a worker reports, each followed by a comma; values start at `$3`. */
function progressSql(progress: Progress): Assignment {
  const given = Object.entries(progress).filter(([, value]) => value !== undefined);
  return {
    sql: given.map(([name], index) => `"${name}" = $${index + 3},`).join(' '),
    values: given.map(([name, value]) => (name === 'targetId' ? String(value) : JSON.stringify(value))),
  };
}

/**
 * Changes a write that is in one of the states. Throws SERVICE_NOT_FOUND, SERVICE_WRITE_STATE with its current state, or
 * `LockLost` when it is in another attempt.
 */
async function change(
  scope: Scope,
  writeId: string,
  from: readonly WriteStatus[],
  { sql, values, attempts, returned }: Assignment,
): Promise<StoredWrite> {
  const session = sessionOf(scope);
  const isAttempt = attempts === undefined ? '' : `and attempts = $${values.length + 3}`;
  const [write] = await session.run<StoredWrite>(
    `update unified.writes set ${sql.replace(/,\s*$/, '')}
      where connection_id = $1 and "writeId" = $2 and status in ('${from.join("', '")}') ${isAttempt}
      returning ${[WRITE_COLUMNS, returned ?? []].flat().join(', ')}`,
    [scope.connectionId, writeId, ...values, ...(attempts === undefined ? [] : [attempts])],
  );
  if (write) return write;
  const [found] = await session.run<{ status: WriteStatus }>(
    'select status from unified.writes where connection_id = $1 and "writeId" = $2',
    [scope.connectionId, writeId],
  );
  if (!found) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no such write record on this connection.');
  if (attempts !== undefined && from.includes(found.status))
    throw new LockLost('Another worker started a newer attempt of this write.');
  throw new ServiceError('SERVICE_WRITE_STATE', `The write is ${found.status}; it must be ${from.join(' or ')}.`, {
    details: { status: found.status, allowed: from },
  });
}

const CHANNEL = 'unified_write';

/** Notifies all processes that a write is settled; PostgreSQL sends it when the transaction commits. */
const NOTIFY_SETTLED = `pg_notify('${CHANNEL}', "writeId"::text)`;

/**
 * Waits until any process settles or cancels the write, or finds that its outcome is unknown. Read the write once this has
 * resolved, and before awaiting `noticed`. Rejects with SERVICE_UNAVAILABLE.
 */
export function watchWrite(scope: Scope, writeId: string, limits: WatchLimits): Promise<Watch> {
  return noticesOf(scope).watch(CHANNEL, writeId, limits);
}
