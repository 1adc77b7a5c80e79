import type { Json, Row } from '@unified/connectors';
import type { StoredWrite, WriteOp, WriteStep, WriteWarning } from '@unified/store';

/** What is kept of something that is about to be sent, so that its outcome can be found again. */
export interface SendRecord {
  /** RFC 3339. */
  readonly at: string;
  /** Answer of the driver's `prepareCreate`. */
  readonly position: Json;
  /** What the connected system receives. */
  readonly values: Row;
  /** What the connected system calls the action. */
  readonly act?: string;
  /** The request with its references looked up. */
  readonly input: Row;
  /** Fields of the request that were not sent. */
  readonly unsupported: readonly string[];
  /** Hash of the row before; only where equal values alone cannot prove the outcome. */
  readonly before?: string | null;
  /** What the changed fields held before, in the form of a request; what `compensate` goes back to. */
  readonly previous?: Row;
}

/** What only the engine needs to know of a step; stored with it, never answered. */
interface Kept {
  readonly sent?: SendRecord;
  /** How often this step was begun. */
  readonly tries: number;
  /** Set by a request to verify: a write that the system does not show fails then, instead of being sent again. */
  readonly verifyOnly?: boolean;
}

export type Step = WriteStep & { prepared: Kept };

/** A step that told the connected system to change something. */
export type SentStep = Step & { prepared: Kept & { sent: SendRecord } };

export type StepKind = WriteStep['kind'];

/** The step of a write that tells the connected system to change something. */
export const changingStep = {
  create: 'create',
  update: 'update',
  replace: 'update',
  delete: 'delete',
  action: 'action',
} as const satisfies Record<WriteOp, StepKind>;

/** A write while it is carried out. What happens to it is noted in `steps`, which are saved as a whole. */
export interface OpenWrite extends Omit<StoredWrite, 'steps' | 'attempts' | 'warnings'> {
  readonly body: Row;
  readonly steps: Step[];
  attempts: number;
  warnings: readonly WriteWarning[];
  /** Identifier of the target in the connected system; null for a create. */
  readonly targetKey: string | null;
}

/** What to do next with a write; `stop`: it is saved, and the queue looks again. */
export type Phase = 'send' | 'verify' | 'finish' | 'stop';
