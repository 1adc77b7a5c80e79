import type { Row } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  find,
  LockLost,
  type Progress,
  type Scope,
  type StoredWrite,
  saveStepsOf,
  type WriteWarning,
} from '@unified/store';
import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Policies } from '../drivers/retry-policy.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Step } from './write-steps.ts';

/** A write that is being carried out. Its progress is in `steps`, which are saved as a whole. */
export interface OpenWrite extends Omit<StoredWrite, 'steps' | 'attempts' | 'warnings'> {
  readonly body: Row;
  readonly steps: Step[];
  attempts: number;
  warnings: readonly WriteWarning[];
  /** Identifier of the record with `targetId` in the connected system; null for a create. */
  readonly targetKey: string | null;
}

/** What to do next with a write. `stop` means that its state is saved, and the queue continues. */
export type Phase = 'send' | 'verify' | 'finish' | 'stop';

/** A record as the API returns it; undefined if there is none with this id. */
export async function storedRecord(scope: Scope, entityName: string, id: string | null): Promise<Row | undefined> {
  const entity = scope.entities[entityName];
  const doc = entity && id !== null ? await find(scope, entity, id) : undefined;
  return doc === undefined ? undefined : JSON.parse(doc);
}

/** The write queue of a connection while this worker holds its lock. */
export interface HeldQueue extends DriverSession {
  readonly log: Logger;
  readonly policies: Policies;
  readonly jobs: Jobs;
  /** Throws `LockLost` when another worker may have taken over. Call it before anything that cannot be undone. */
  assertHeld(): void;
  /** Returns false once the connection was changed, deactivated or removed. */
  isCurrent(): Promise<boolean>;
}

/**
 * Saves the state of a write in one transaction, unless another worker has continued it. A lost lock is noticed late, but every
 * attempt has a number, and only the worker with the latest number can save. Throws `LockLost`.
 */
export async function fenced(
  queue: HeldQueue,
  write: OpenWrite,
  save: (scope: Scope) => Promise<StoredWrite>,
): Promise<void> {
  await whileHeld(queue, () =>
    queue.scope.transaction(async (scope) => {
      const { attempts } = await save(scope);
      if (attempts !== write.attempts) throw new LockLost('Another worker started a newer attempt of this write.');
    }),
  );
}

/**
 * Saves the steps of a write and what was noted with them, by one statement. Throws `LockLost` like `fenced`. Only after a call, it
 * need not be `durable`; see `saveStepsOf`.
 */
export async function saveProgress(
  queue: HeldQueue,
  { writeId, attempts, steps }: OpenWrite,
  { durable = true, ...noted }: Progress & { readonly durable?: boolean } = {},
): Promise<void> {
  await whileHeld(queue, () => saveStepsOf(queue.scope, { writeId, attempts }, { ...noted, steps }, { durable }));
}

async function whileHeld(queue: HeldQueue, save: () => Promise<unknown>): Promise<void> {
  queue.assertHeld();
  try {
    await save();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SERVICE_WRITE_STATE') {
      throw new LockLost('Another worker settled this write.', { cause: error });
    }
    throw error;
  }
}
