import type { components } from '@unified/contract';
import type { Scope } from '@unified/store';

type WriteRecord = components['schemas']['WriteRecord'];

/** A write to queue. */
export interface WriteRequest {
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteRecord['op'];
  readonly action?: string;
  readonly targetId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** What the engine does for the HTTP surface. */
export interface Writes {
  /** Whether a request with this key was accepted in the last 24 hours. */
  isKnownKey(scope: Scope, idempotencyKey: string): Promise<boolean>;
  submitWrite(scope: Scope, request: WriteRequest): Promise<{ writeId: string; replayed: boolean }>;
  waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<WriteRecord>;
  planWrite(scope: Scope, request: WriteRequest): Promise<WriteRecord>;
  writeById(scope: Scope, writeId: string): Promise<WriteRecord>;
  listWrites(
    scope: Scope,
    query: { limit: number; cursor?: string; status?: WriteRecord['status']; entity?: string; targetId?: string },
  ): Promise<{ data: WriteRecord[]; nextCursor: string | null }>;
  retryWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  verifyWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  cancelWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  compensateWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
}
