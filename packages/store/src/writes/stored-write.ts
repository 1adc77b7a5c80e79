import { type components, errorTable } from '@unified/contract';

type Schemas = components['schemas'];

/** A write record as the service returns it. */
export type WriteRecord = Schemas['WriteRecord'];
export type WriteStep = Schemas['WriteStep'];
export type WriteError = Schemas['WriteError'];
/** Why a write or a step failed, as it is stored: the status follows from the code. */
export type StoredError = Omit<WriteError, 'status'>;
export type PlannedLine = Schemas['PlannedLine'];
export type WriteResult = Schemas['WriteResult'];
export type WriteLeftover = Schemas['WriteLeftover'];
export type WriteWarning = Schemas['WriteWarning'];
export type WriteResolvedRef = Schemas['WriteResolvedRef'];
export type WriteOp = Schemas['WriteOp'];
/** States of a stored write; `planned` is only returned, never stored. */
export type WriteStatus = Exclude<Schemas['WriteStatus'], 'planned'>;

/**
 * A step with what the worker needs to decide after a crash whether it was carried out. That part is not returned to clients.
 */
export interface StoredStep extends Omit<WriteStep, 'error'> {
  error: StoredError | null;
  /** What the driver returned before the step was sent. */
  readonly prepared?: unknown;
  /** RFC 3339; set just before the step is sent. */
  readonly sentAt?: string | null;
}

/** A write as the worker sees it. Times are RFC 3339. */
export interface StoredWrite {
  readonly writeId: string;
  /** Sequence number in the write queue of the connection. */
  readonly seq: number;
  readonly operation: string;
  readonly entity: string;
  readonly op: WriteOp;
  /** Name of the action, for op `action`. */
  readonly action: string | null;
  readonly targetId: string | null;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** Hashes of the versions of the record that the write accepts; null means any version. */
  readonly ifMatch: readonly string[] | null;
  readonly status: WriteStatus;
  readonly attempts: number;
  readonly result: WriteResult | null;
  readonly steps: readonly StoredStep[];
  readonly leftovers: readonly WriteLeftover[];
  readonly warnings: readonly WriteWarning[];
  readonly resolvedRefs: readonly WriteResolvedRef[];
  readonly synced: boolean;
  readonly syncedAt: string | null;
  readonly createdAt: string;
  /** Start of the last attempt. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** Earliest time of the next attempt. */
  readonly nextAttemptAt: string | null;
  readonly error: StoredError | null;
  /** Span of the request that queued it, in the form of W3C Trace Context; null if it was not traced. */
  readonly traceparent: string | null;
}

const COLUMNS = [
  ...[
    'writeId',
    'seq',
    'operation',
    'entity',
    'op',
    'action',
    'targetId',
    'body',
    'idempotencyKey',
    'ifMatch',
    'status',
  ],
  ...['attempts', 'result', 'steps', 'leftovers', 'warnings', 'resolvedRefs', 'synced', 'syncedAt', 'createdAt'],
  ...['startedAt', 'finishedAt', 'nextAttemptAt', 'error', 'traceparent'],
];

/** Columns of a stored write, for `select` and `returning`. */
export const WRITE_COLUMNS = COLUMNS.map((name) => `"${name}"`).join(', ');

/** The custom fields that the body of a write contains. */
export function sentCustomFields(body: unknown): WriteRecord['customFields'] {
  const { customFields = {} } = (body ?? {}) as { readonly customFields?: WriteRecord['customFields'] };
  return customFields;
}

/** The write record that clients see. */
export function writeRecordOf(write: StoredWrite): WriteRecord {
  return {
    writeId: write.writeId,
    operation: write.operation,
    entity: write.entity,
    op: write.op,
    targetId: write.targetId,
    idempotencyKey: write.idempotencyKey,
    attempts: write.attempts,
    status: write.status,
    result: write.result,
    steps: write.steps.map(({ prepared: _prepared, sentAt: _sentAt, error, ...step }) => ({
      ...step,
      error: shownError(error),
    })),
    leftovers: [...write.leftovers],
    warnings: [...write.warnings],
    resolvedRefs: [...write.resolvedRefs],
    customFields: sentCustomFields(write.body),
    synced: write.synced,
    syncedAt: write.syncedAt,
    createdAt: write.createdAt,
    nextAttemptAt: write.nextAttemptAt,
    finishedAt: write.finishedAt,
    error: shownError(write.error),
  };
}

/** An error may be stored with a code that a later release no longer has. */
function shownError(error: StoredError | null): WriteError | null {
  if (!error) return null;
  const { code, message, details } = error;
  const known: Readonly<Record<string, { readonly status: number } | undefined>> = errorTable;
  return { code, status: known[code]?.status ?? 500, message, details };
}
