import type { Json, Row } from '@unified/connectors';
import type { StoredStep, StoredWrite, WriteOp, WriteStep } from '@unified/store';
import { failureOf } from '../drivers/system-failure.ts';

/** What is stored before a call, so that its outcome can be found later. Contains no result. */
export interface SendRecord {
  /** RFC 3339. */
  readonly at: string;
  /** Result of the driver's `positionBeforeCreate`. */
  readonly position: Json;
  /** What the connected system receives. */
  readonly values: Row;
  /** Name of the action in the connected system. */
  readonly act?: string;
  /** The request with its references resolved. */
  readonly input: Row;
  /** Fields of the request that were not sent. */
  readonly unsupported: readonly string[];
  /** Hash of the row before the call; only if equal values alone cannot prove the outcome. */
  readonly before?: string | null;
  /** Previous values of the changed fields, in the form of a request; `compensate` restores them. */
  readonly previous?: Row;
  /** The `statusCategory` of the record before an action that leads to another one; null if the record had none. */
  readonly statusCategory?: unknown;
}

/** What only the engine needs to know about a step; stored with it, but never returned by the API. */
interface StepState {
  readonly sent?: SendRecord;
  /** How often this step was started. */
  readonly tries: number;
  /** Set by a request to verify. If the system does not show the change, the write then fails instead of being sent again. */
  readonly verifyOnly?: boolean;
  /**
   * Set if the system responded completely, and only the search for the outcome failed. If a later search does not find it
   * either, the write fails and `staysUnknown`.
   */
  readonly sentOnce?: boolean;
  /**
   * Set if the system responded completely, but its response does not state the outcome, or if no search can identify the record.
   * The same request then gets this result again, because clients repeat requests without a person; only a requested retry verifies
   * and sends again.
   */
  readonly staysUnknown?: boolean;
}

export type Step = Omit<StoredStep, 'prepared'> & { prepared: StepState };

/** A step that requested a change in the connected system. */
export type SentStep = Step & { prepared: StepState & { sent: SendRecord } };

export type StepKind = WriteStep['kind'];

/** The step that requests the change, by operation. */
export const changingStep = {
  create: 'create',
  update: 'update',
  replace: 'update',
  delete: 'delete',
  action: 'action',
} as const satisfies Record<WriteOp, StepKind>;

interface Begun {
  readonly kind: StepKind;
  readonly entity: string;
  readonly vendorObject: string | null;
  readonly vendorId: string | null;
}

/**
 * Begins a step at the end of the list. A step that is repeated since the last call counts as another attempt of the same step,
 * so that a long outage of the system does not fill the record.
 */
export function beginStep(steps: Step[], begun: Begun): Step {
  const sinceSent = steps.slice(lastSent(steps)?.n ?? 0);
  const again = sinceSent.findLast(({ kind }) => kind === begun.kind);
  const startedAt = new Date().toISOString();
  const running = { ...begun, status: 'running', error: null, startedAt, endedAt: null } as const;
  if (again) return Object.assign(again, running, { prepared: { ...again.prepared, tries: again.prepared.tries + 1 } });
  const step: Step = { n: steps.length + 1, ...running, prepared: { tries: 1 } };
  steps.push(step);
  return step;
}

/** Begins a step that requests a change in the connected system. Sending again is another step. */
export function beginSending(steps: Step[], begun: Begun, sent: SendRecord): SentStep {
  const step: SentStep = {
    n: steps.length + 1,
    ...begun,
    status: 'running',
    error: null,
    startedAt: sent.at,
    endedAt: null,
    prepared: { sent, tries: 1 },
  };
  steps.push(step);
  return step;
}

/** Ends a step with its status and, unless it succeeded, its error. */
export function endStep(step: Step, status: 'succeeded' | 'failed' | 'unknown', error?: unknown): void {
  step.status = status;
  step.error = error === undefined ? null : failureOf(error);
  // A call with an unknown outcome has not ended while it is being verified.
  const isOpen = status === 'unknown' && step.prepared.sent;
  step.endedAt = isOpen ? null : new Date().toISOString();
}

/** The last step that requested a change in the connected system. */
export function lastSent(steps: readonly Step[]): SentStep | undefined {
  return steps.findLast((step): step is SentStep => step.prepared.sent !== undefined);
}

/** Number of attempts to send since the write was queued, including those without a call. */
export function triesOf(steps: readonly Step[]): number {
  return steps.filter(({ kind }) => kind === 'resolve').reduce((sum, { prepared }) => sum + prepared.tries, 0);
}

/** Steps as they were stored by `saveSteps`. */
export function storedSteps(steps: readonly StoredStep[]): Step[] {
  return steps.map(({ prepared, ...step }) => ({ ...step, prepared: isKept(prepared) ? prepared : { tries: 1 } }));
}

function isKept(prepared: unknown): prepared is Step['prepared'] {
  return typeof prepared === 'object' && prepared !== null && 'tries' in prepared;
}

/** Whether verification without sending again was requested for a write whose outcome is unknown. */
export function isVerifyOnly(write: Pick<StoredWrite, 'status' | 'steps'> | null): boolean {
  return write?.status === 'unknown' && lastSent(storedSteps(write.steps))?.prepared.verifyOnly === true;
}

/** Whether the write must not be sent again without a person who has checked the system. */
export function awaitsPerson({ steps }: Pick<StoredWrite, 'steps'>): boolean {
  return lastSent(storedSteps(steps))?.prepared.staysUnknown === true;
}
