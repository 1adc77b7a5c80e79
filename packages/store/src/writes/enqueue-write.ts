import { ServiceError } from '@unified/contract';
import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../scope.ts';
import type { Session } from '../sql/session.ts';
import { LANE_CHANNEL } from './lanes.ts';
import {
  type StoredWrite,
  WRITE_COLUMNS,
  type WriteOp,
  type WriteResolvedRef,
  type WriteWarning,
} from './stored-write.ts';

export interface NewWrite {
  /** Operation that was called, for example `createVendor`. */
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteOp;
  readonly action?: string;
  readonly targetId?: string | null;
  /** JSON; kept as it was sent, for retries. */
  readonly body: unknown;
  /** Of the request, with `fingerprint`: a hash of everything that makes the request what it is. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
  readonly warnings?: readonly WriteWarning[];
  readonly resolvedRefs?: readonly WriteResolvedRef[];
}

export interface Enqueued {
  readonly write: StoredWrite;
  /** Whether this is the result of an earlier request with the same key. Nothing was queued then. */
  readonly replayed: boolean;
}

/**
 * Queues a write at the end of the connection's lane and wakes the workers, in one transaction. A key is remembered for
 * 24 hours: used again with the same fingerprint it gives the first write, however many requests arrive at once; with
 * another one SERVICE_IDEMPOTENCY_MISMATCH is thrown.
 */
export async function enqueueWrite(scope: Scope, given: NewWrite): Promise<Enqueued> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const writeId = newId();
    if (given.idempotency) {
      const first = await claimKey(session, scope.connectionId, given.idempotency, writeId);
      if (first !== writeId) return { write: await stored(session, scope.connectionId, first), replayed: true };
    }
    const seq = await nextPlace(session, scope.connectionId);
    const write = await insert(session, scope.connectionId, given, { writeId, seq });
    await session.run('select pg_notify($1, $2)', [LANE_CHANNEL, scope.connectionId]);
    return { write, replayed: false };
  });
}

/** The id of the write that the key belongs to. A second request waits here until the first has committed. */
async function claimKey(
  session: Session,
  connectionId: string,
  { key, fingerprint }: NonNullable<NewWrite['idempotency']>,
  writeId: string,
): Promise<string> {
  const [claimed] = await session.run<{ writeId: string }>(
    `insert into unified.idempotency as known (connection_id, key, fingerprint, "writeId", "expiresAt")
     values ($1, $2, $3, $4, now() + interval '24 hours')
     on conflict (connection_id, key) do update
       set fingerprint = excluded.fingerprint, "writeId" = excluded."writeId", "expiresAt" = excluded."expiresAt"
       where known."expiresAt" <= now()
     returning "writeId"`,
    [connectionId, key, fingerprint, writeId],
  );
  if (claimed) return claimed.writeId;
  const [known] = await session.run<{ writeId: string; fingerprint: string }>(
    'select "writeId", fingerprint from unified.idempotency where connection_id = $1 and key = $2',
    [connectionId, key],
  );
  if (known?.fingerprint === fingerprint) return known.writeId;
  throw new ServiceError('SERVICE_IDEMPOTENCY_MISMATCH', `The key "${key}" was used before with another request.`);
}

/**
 * The next place in the lane. The lane's row stays locked until the transaction ends, so writes commit in the order of
 * their places and a worker never passes over one that is still on its way.
 */
export async function nextPlace(session: Session, connectionId: string): Promise<number> {
  const [lane] = await session.run<{ seq: number }>(
    `insert into unified.lanes as lane (connection_id, seq) values ($1, 1)
     on conflict (connection_id) do update set seq = lane.seq + 1 returning seq`,
    [connectionId],
  );
  if (!lane) throw new Error(`Connection ${connectionId} has no lane.`);
  return lane.seq;
}

async function insert(
  session: Session,
  connectionId: string,
  given: NewWrite,
  { writeId, seq }: { writeId: string; seq: number },
): Promise<StoredWrite> {
  const [write] = await session.run<StoredWrite>(
    `insert into unified.writes
       (connection_id, "writeId", seq, operation, entity, op, action, "targetId", body, "idempotencyKey", status, warnings, "resolvedRefs")
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $11, $12) returning ${WRITE_COLUMNS}`,
    [
      ...[
        connectionId,
        writeId,
        seq,
        given.operation,
        given.entity,
        given.op,
        given.action ?? null,
        given.targetId ?? null,
      ],
      ...[given.body === undefined ? null : JSON.stringify(given.body), given.idempotency?.key ?? null],
      ...[JSON.stringify(given.warnings ?? []), JSON.stringify(given.resolvedRefs ?? [])],
    ],
  );
  if (!write) throw new Error('The write was not stored.');
  return write;
}

async function stored(session: Session, connectionId: string, writeId: string): Promise<StoredWrite> {
  const [write] = await session.run<StoredWrite>(
    `select ${WRITE_COLUMNS} from unified.writes where connection_id = $1 and "writeId" = $2`,
    [connectionId, writeId],
  );
  if (!write) throw new ServiceError('SERVICE_NOT_FOUND', `The write ${writeId} is no longer kept.`);
  return write;
}
