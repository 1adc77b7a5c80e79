import type { WriteOp } from '@unified/store';

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
  /** Of the request that asks for it, and perhaps for others. */
  readonly idempotencyKey?: string;
}

/**
 * Judges what only the caller knows of a write, such as whether its record is there. It is given the actions of the
 * entity that the connected system carries out. Rejects with the `ServiceError` of a write that is not possible.
 */
export type CheckWrite = (capable: { readonly actions: readonly string[] }) => Promise<void>;
