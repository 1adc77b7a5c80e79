import type { Context, WriteRecord } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type Preference, parsePrefer } from './prefer.ts';
import type { WriteRequest } from './writes.ts';

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
  readonly headers: Readonly<Record<string, string>>;
}

export type Intent = Pick<WriteRequest, 'entity' | 'op' | 'action' | 'targetId' | 'input'>;

/**
 * Queues a write, or finds the one of the same `Idempotency-Key`, and waits for its outcome as `Prefer` says, otherwise
 * `byDefault` milliseconds. `check` refuses the request before anything is queued; a repeated request is past that.
 */
export async function submitWrite(
  context: Context,
  { headers, query }: WriteParameters,
  intent: Intent,
  byDefault: number,
  check: () => Promise<void>,
): Promise<Outcome> {
  const idempotencyKey = idempotencyKeyOf(headers);
  const dryRun = query.dryRun === true;
  const request: WriteRequest = {
    operation: context.operation.id,
    ...intent,
    dryRun,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const { scope, writes } = context;
  if (dryRun) {
    await check();
    return { write: await writes.planWrite(scope, request), replayed: false, headers: {} };
  }
  const seen = idempotencyKey !== undefined && (await writes.isKnownKey(scope, idempotencyKey));
  if (!seen) await check();
  const { writeId, replayed } = await writes.submitWrite(scope, request);
  const preference = parsePrefer(headers.Prefer, byDefault);
  const write = await writes.waitForWrite(scope, writeId, preference.milliseconds);
  return { write, replayed, headers: answerHeaders(preference, replayed) };
}

function answerHeaders({ applied }: Preference, replayed: boolean): Record<string, string> {
  return {
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
  };
}

/** 202 with the write record and where to follow it; a dry run is stored nowhere. */
export function accepted({ write, headers }: Outcome) {
  const location = write.status === 'planned' ? {} : { Location: `/v4/writes/${write.writeId}` };
  return { status: 202, body: write, headers: { ...headers, ...location } } as const;
}
