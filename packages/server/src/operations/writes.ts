import type { Scope, WriteOp, WriteRecord } from '@unified/store';

/** A write to queue. */
export interface WriteRequest {
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteOp;
  readonly action?: string;
  readonly targetId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
}

/** What the engine does for the HTTP surface. */
export interface Writes {
  submitWrite(scope: Scope, request: WriteRequest): Promise<{ writeId: string; replayed: boolean }>;
  waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<WriteRecord>;
  planWrite(scope: Scope, request: WriteRequest): Promise<WriteRecord>;
  retryWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  verifyWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  cancelWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  compensateWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
}
