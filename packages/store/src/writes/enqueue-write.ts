import { ServiceError } from '@unified/contract';
import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../access/scope.ts';
import type { Session } from '../sql/session.ts';
import { claimKey, type Idempotency } from './idempotency.ts';
import {
  type StoredWrite,
  WRITE_COLUMNS,
  type WriteOp,
  type WriteResolvedRef,
  type WriteWarning,
} from './stored-write.ts';
import { nextSequence } from './write-queue.ts';

export interface NewWrite {
  /** Operation that was called, for example `createVendor`. */
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteOp;
  readonly action?: string;
  readonly targetId?: string | null;
  /** JSON; kept as it was sent, for retries. */
  readonly body: unknown;
  readonly idempotency?: Idempotency;
  /** The key of the request in the write record; by default that of `idempotency`. */
  readonly idempotencyKey?: string | null;
  readonly warnings?: readonly WriteWarning[];
  readonly resolvedRefs?: readonly WriteResolvedRef[];
}

export interface Enqueued {
  readonly write: StoredWrite;
  /** Whether this is the result of an earlier request with the same key. Nothing was queued then. */
  readonly replayed: boolean;
}

/**
 * Adds a write to the end of the connection's write queue. A key is valid for 24 hours: used again with the same
 * fingerprint it returns the first write, however many requests arrive at once; with another one
 * SERVICE_IDEMPOTENCY_MISMATCH is thrown.
 */
export async function enqueueWrite(scope: Scope, given: NewWrite): Promise<Enqueued> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const writeId = newId();
    if (given.idempotency) {
      const first = await claimKey(inner, given.idempotency, writeId);
      if (first.replayed) return { write: await stored(session, scope.connectionId, first.writeId), replayed: true };
    }
    const seq = await nextSequence(session, scope.connectionId);
    return { write: await insert(session, scope.connectionId, given, { writeId, seq }), replayed: false };
  });
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
      ...[given.body === undefined ? null : JSON.stringify(given.body), shownKey(given)],
      ...[JSON.stringify(given.warnings ?? []), JSON.stringify(given.resolvedRefs ?? [])],
    ],
  );
  if (!write) throw new Error('The write was not stored.');
  return write;
}

function shownKey({ idempotency, idempotencyKey = idempotency?.key ?? null }: NewWrite): string | null {
  return idempotencyKey;
}

async function stored(session: Session, connectionId: string, writeId: string): Promise<StoredWrite> {
  const [write] = await session.run<StoredWrite>(
    `select ${WRITE_COLUMNS} from unified.writes where connection_id = $1 and "writeId" = $2`,
    [connectionId, writeId],
  );
  if (!write) throw new ServiceError('SERVICE_NOT_FOUND', `The write ${writeId} is no longer kept.`);
  return write;
}
