import { addressOf, ServiceError } from '@unified/contract';
import { type CheckWrite, orInDoubt, type WriteRequest } from '@unified/engine';
import type { WriteRecord } from '@unified/store';
import type { DataContext } from './context.ts';
import { shownWrite } from './visible-writes.ts';
import { writeHeaders } from './write-response.ts';

/** Parameters of every write request besides its body. */
export interface WriteParameters {
  readonly headers: { readonly 'Idempotency-Key'?: string; readonly Prefer?: string };
  readonly query: { readonly dryRun?: boolean };
}

/** The state of a write at the time of the response. */
export interface Outcome {
  readonly write: WriteRecord;
  /** Whether it was already queued by an earlier request with the same key. */
  readonly replayed: boolean;
  /** Whether the client prefers the write record to the outcome. */
  readonly asynchronous: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export type RequestedWrite = Pick<
  WriteRequest,
  'entity' | 'op' | 'action' | 'targetId' | 'input' | 'ifMatch' | 'sentHashes'
>;

/**
 * Queues a write, or finds the one with the same `Idempotency-Key`, and waits for its outcome for the time in `Prefer` or, by
 * default, `byDefault` milliseconds. If `check` refuses a write, it is not queued. Throws `WriteInDoubt` if the database becomes
 * unreachable after it was.
 */
export async function queueWrite(
  context: DataContext,
  { headers, query }: WriteParameters,
  intent: RequestedWrite,
  byDefault: number,
  check?: CheckWrite,
): Promise<Outcome> {
  const { scope, engine, operation } = context;
  const idempotencyKey = idempotencyKeyOf(headers);
  const request: WriteRequest = {
    operation: operation.id,
    ...intent,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(isStrict(headers.Prefer) && { isStrict: true }),
  };
  if (query.dryRun === true) {
    const write = await engine.planWrite(scope, request, check);
    return { write: shownWrite(write, context), replayed: false, asynchronous: true, headers: {} };
  }
  const { writeId, replayed } = await engine.submitWrite(scope, request, check);
  const { milliseconds, asynchronous, applied } = parsePrefer(headers.Prefer, byDefault);
  const write = await orInDoubt(
    () => writeId,
    () => engine.waitForWrite(scope, writeId, milliseconds),
  );
  const shown = shownWrite(write, context);
  return { write: shown, replayed, asynchronous, headers: responseHeaders(shown, applied, replayed) };
}

function responseHeaders(write: WriteRecord, applied: string | undefined, replayed: boolean): Record<string, string> {
  return {
    ...writeHeaders(write.writeId, write.warnings.length),
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
  };
}

/** Returns 202 with the write record and its address. A dry run is not stored, so it has no address. */
export function accepted({ write, headers }: Outcome) {
  const location = write.status === 'planned' ? {} : { Location: addressOf('getWrite', { writeId: write.writeId }) };
  return { status: 202, body: write, headers: { ...headers, ...location } } as const;
}

/** How long the client wants to wait for the outcome of a write (RFC 7240). */
export interface Preference {
  readonly milliseconds: number;
  /** Whether the write record is returned immediately, in any state of the write. */
  readonly asynchronous: boolean;
  /** Value of `Preference-Applied`; absent if the client stated no known preference. */
  readonly applied?: string;
}

/** Time to wait for the outcome of a write if the client states no preference. */
export const OUTCOME_WAIT_MS = 10_000;

const LONGEST_SECONDS = 30;

/**
 * Reads a `Prefer` header: `wait=N` (at most 30 seconds) before `respond-async`. Unknown preferences are ignored. Without a
 * preference, the wait is `byDefault` milliseconds; 0 means that the response is immediate.
 */
export function parsePrefer(header: string | undefined, byDefault: number): Preference {
  const { applied, ...waiting } = waitingOf(preferencesIn(header), byDefault);
  const all = [isStrict(header) && STRICT, applied].filter(Boolean).join(', ');
  return { ...waiting, ...(all !== '' && { applied: all }) };
}

function waitingOf(preferences: readonly string[], byDefault: number): Preference {
  const wait = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  if (wait !== undefined) {
    const seconds = Math.min(Number(wait), LONGEST_SECONDS);
    return { milliseconds: seconds * 1000, asynchronous: false, applied: `wait=${seconds}` };
  }
  if (preferences.includes('respond-async')) return { milliseconds: 0, asynchronous: true, applied: 'respond-async' };
  return { milliseconds: byDefault, asynchronous: byDefault === 0 };
}

const STRICT = 'handling=strict';

/** Whether a `Prefer` header requests that writes are refused if the connected system does not support all of their fields. */
export function isStrict(header: string | undefined): boolean {
  return preferencesIn(header).some((each) => /^handling\s*=\s*"?strict"?$/.test(each));
}

/** The preferences of a header in lower case, without their parameters. */
function preferencesIn(header: string | undefined): string[] {
  return (header ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase() ?? '');
}

/**
 * The idempotency key of a request. Quotes around it, as in the draft standard, are optional. Throws
 * SERVICE_INVALID_IDEMPOTENCY_KEY if it is empty.
 */
export function idempotencyKeyOf(headers: { readonly 'Idempotency-Key'?: string }): string | undefined {
  const sent = headers['Idempotency-Key'];
  const key = sent === undefined ? undefined : (/^"(.*)"$/.exec(sent)?.[1] ?? sent);
  if (key !== '') return key;
  throw new ServiceError('SERVICE_INVALID_IDEMPOTENCY_KEY', 'The Idempotency-Key is empty. Send a UUID, for example.');
}
