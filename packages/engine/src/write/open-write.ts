import type { Json, Row } from '@unified/connectors';
import type { StoredWrite, WriteOp, WriteStep, WriteWarning } from '@unified/store';
import { find, type Scope } from '@unified/store';

/** What is stored before a call, so that its outcome can be found later. Contains no result. */
export interface SendRecord {
  /** RFC 3339. */
  readonly at: string;
  /** Result of the driver's `prepareCreate`. */
  readonly position: Json;
  /** What the connected system receives. */
  readonly values: Row;
  /** Name of the action in the connected system. */
  readonly act?: string;
  /** The request with its references resolved. */
  readonly input: Row;
  /** Fields of the request that were not sent. */
  readonly unsupported: readonly string[];
  /** Hash of the row before; only where equal values alone cannot prove the outcome. */
  readonly before?: string | null;
  /** Previous values of the changed fields, in the form of a request; `compensate` restores them. */
  readonly previous?: Row;
}

/** What only the engine needs of a step; stored with it, never returned by the API. */
interface StepState {
  readonly sent?: SendRecord;
  /** How often this step was started. */
  readonly tries: number;
  /** Set by a request to verify: a write that the system does not show then fails instead of being sent again. */
  readonly verifyOnly?: boolean;
}

export type Step = WriteStep & { prepared: StepState };

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

/** A write that is being carried out. Its progress is in `steps`, which are saved as a whole. */
export interface OpenWrite extends Omit<StoredWrite, 'steps' | 'attempts' | 'warnings'> {
  readonly body: Row;
  readonly steps: Step[];
  attempts: number;
  warnings: readonly WriteWarning[];
  /** Identifier of the target in the connected system; null for a create. */
  readonly targetKey: string | null;
}

/** What to do next with a write; `stop`: its state is saved, and the queue continues. */
export type Phase = 'send' | 'verify' | 'finish' | 'stop';

/** A record as the API returns it; undefined if there is none with this id. */
export async function storedRecord(scope: Scope, entityName: string, id: string | null): Promise<Row | undefined> {
  const entity = scope.entities[entityName];
  const doc = entity && id !== null ? await find(scope, entity, id) : undefined;
  return doc === undefined ? undefined : JSON.parse(doc);
}
