import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@unified/contract';
import {
  type AuditChange,
  type Claim,
  claimRequest,
  type KeyedRequest,
  releaseKey,
  saveResponse,
} from '@unified/store';
import type { ManagementContext } from './context.ts';

/** The parts of a request that determine what it does. */
interface Creating {
  readonly path: Readonly<Record<string, string>>;
  readonly headers: { readonly 'Idempotency-Key'?: string };
  readonly body: unknown;
}

/** The response to a request that created something. */
export interface Created<Body> {
  readonly status: 201;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** What the audit log records when a response that contains a secret is returned again. */
export type Reading<Body> = (body: Body) => Pick<AuditChange, 'action' | 'target'> & { readonly after: object };

/** Milliseconds between two checks of a request that is in progress, and the total. */
const LOOK_EVERY = 100;
const LONGEST = 10_000;

/**
 * Carries out a request of the Management API once per idempotency key. A repeated request returns the first response, but only
 * to the same client, because it may contain a secret; if it does, `reading` is recorded. Without a key, the request is always
 * carried out. Throws SERVICE_IDEMPOTENCY_MISMATCH if the key belongs to another request or client, and SERVICE_UNAVAILABLE if
 * the first request takes longer than 10 seconds.
 */
export async function once<Body>(
  { path, headers, body }: Creating,
  context: ManagementContext,
  create: () => Promise<Body>,
  reading?: Reading<Body>,
): Promise<Created<Body>> {
  const { 'Idempotency-Key': key } = headers;
  if (key === undefined) return { status: 201, body: await create() };
  const { application, clientId, operation } = context;
  const request = { key, fingerprint: hash('sha256', JSON.stringify([clientId, operation.id, path, body ?? null])) };
  const claim = await settled(() => claimRequest(application, request));
  if (claim.state === 'done') {
    const first: Body = JSON.parse(claim.response);
    if (reading) await recordReading(context, reading(first));
    return { status: 201, headers: { 'Idempotency-Replayed': 'true' }, body: first };
  }
  if (claim.state === 'different') throw mismatch(request);
  if (claim.state === 'in progress') throw inProgress();
  try {
    const created = await create();
    await saveResponse(application, request, JSON.stringify(created));
    return { status: 201, body: created };
  } catch (error) {
    await releaseKey(application, request);
    throw error;
  }
}

async function recordReading({ audited }: ManagementContext, reading: ReturnType<Reading<never>>): Promise<void> {
  await audited((_, record) => record({ ...reading, before: reading.after }));
}

/** The claim once no other request is in progress, or when the maximum wait is over. */
async function settled(claim: () => Promise<Claim>): Promise<Claim> {
  const until = performance.now() + LONGEST;
  for (;;) {
    const found = await claim();
    if (found.state !== 'in progress' || performance.now() > until) return found;
    await pause(LOOK_EVERY);
  }
}

function mismatch({ key }: KeyedRequest): ServiceError {
  const message = `The Idempotency-Key "${key.slice(0, 80)}" was used for another request, or by another client. Send a new one.`;
  return new ServiceError('SERVICE_IDEMPOTENCY_MISMATCH', message);
}

function inProgress(): ServiceError {
  const message = 'The first request with this Idempotency-Key is still in progress. Retry with the same key.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}
