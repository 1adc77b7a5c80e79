import { addressOf } from '@unified/contract';
import type { CheckWrite, WriteRequest } from '@unified/engine';
import type { WriteRecord } from '@unified/store';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { parsePrefer } from './prefer.ts';
import { writeHeaders } from './write-headers.ts';

/** What every write request may carry besides its body. */
export interface WriteParameters {
  readonly headers: { readonly 'Idempotency-Key'?: string; readonly Prefer?: string };
  readonly query: { readonly dryRun?: boolean };
}

/** What became of a write by the time it must be answered. */
export interface Outcome {
  readonly write: WriteRecord;
  /** Whether an earlier request with the same key had queued it. */
  readonly replayed: boolean;
  /** Whether the client asked for the write record instead of the outcome. */
  readonly asynchronous: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export type Intent = Pick<WriteRequest, 'entity' | 'op' | 'action' | 'targetId' | 'input'>;

/**
 * Queues a write, or finds the one of the same `Idempotency-Key`, and waits for its outcome as `Prefer` says, otherwise
 * `byDefault` milliseconds. What `check` refuses is not queued.
 */
export async function submitWrite(
  context: DataContext,
  { headers, query }: WriteParameters,
  intent: Intent,
  byDefault: number,
  check?: CheckWrite,
): Promise<Outcome> {
  const { scope, engine, operation } = context;
  const idempotencyKey = idempotencyKeyOf(headers);
  const request: WriteRequest = {
    operation: operation.id,
    ...intent,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  if (query.dryRun === true) {
    const write = await engine.planWrite(scope, request, check);
    return { write, replayed: false, asynchronous: true, headers: {} };
  }
  const { writeId, replayed } = await engine.submitWrite(scope, request, check);
  const { milliseconds, asynchronous, applied } = parsePrefer(headers.Prefer, byDefault);
  const write = await engine.waitForWrite(scope, writeId, milliseconds);
  return { write, replayed, asynchronous, headers: answerHeaders(write, applied, replayed) };
}

function answerHeaders(write: WriteRecord, applied: string | undefined, replayed: boolean): Record<string, string> {
  return {
    ...writeHeaders(write.writeId, write.warnings.length),
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
  };
}

/** 202 with the write record and where to follow it; a dry run is stored nowhere. */
export function accepted({ write, headers }: Outcome) {
  const location = write.status === 'planned' ? {} : { Location: addressOf('getWrite', { writeId: write.writeId }) };
  return { status: 202, body: write, headers: { ...headers, ...location } } as const;
}
