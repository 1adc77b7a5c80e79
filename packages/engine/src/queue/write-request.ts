import { ServiceError } from '@unified/contract';
import { type Scope, type Store, type StoredWrite, type WriteOp, writeById } from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Systems } from '../model/systems.ts';

/** Services for the functions that serve requests. */
export interface EngineContext {
  readonly store: Store;
  readonly systems: Systems;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/** A write to queue. */
export interface WriteRequest {
  /** Operation that was called, for example `createVendor`. */
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteOp;
  /** Name of the action, for op `action`. */
  readonly action?: string;
  /** Record to write; absent for a create. */
  readonly targetId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Idempotency key of the request, which may contain several writes. */
  readonly idempotencyKey?: string;
  /** Hashes of the versions of the record that the write accepts; any version by default. */
  readonly ifMatch?: readonly string[] | undefined;
  /**
   * The hashes as the client sent them, if they differ from those of the stored records. A repeated request must have the same
   * ones.
   */
  readonly sentHashes?: readonly string[] | undefined;
  /** Whether it is refused if the connected system does not support all of its fields and values. */
  readonly isStrict?: boolean;
}

/**
 * Checks what only the caller knows about a write, such as whether its record exists. It is called with the actions of the
 * entity that the connected system supports. Rejects with a `ServiceError` if the write is not possible.
 */
export type CheckWrite = (capable: { readonly actions: readonly string[] }) => Promise<void>;

/** A write of the connection. Throws SERVICE_NOT_FOUND. */
export async function storedWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await writeById(scope, writeId);
  if (write) return write;
  throw writeNotFound();
}

/** The error for a write that the connection does not have. */
export function writeNotFound(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no such write record on this connection.');
}
