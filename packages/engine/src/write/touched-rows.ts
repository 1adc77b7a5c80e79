import { type ChangedPage, type Json, partOf, type Stream } from '@unified/connectors';
import { LockLost, type Scope, syncState } from '@unified/store';
import { entitiesOf, streamOf } from '../model/connection-model.ts';
import { storeRows } from '../records/store-rows.ts';
import { logEnd, overtakenKeys } from '../sync/store-page.ts';
import { memoryOf } from '../sync/stream-memory.ts';
import type { HeldQueue, OpenWrite } from './open-write.ts';

/** Rows of a stream that changed since its last sync and were read after a write. */
interface TouchedPage {
  readonly stream: Stream;
  readonly page: Pick<ChangedPage, 'rows' | 'deleted'>;
  /** End of the change log when the page was requested. */
  readonly since: number;
}

export interface Touched {
  readonly pages: readonly TouchedPage[];
  /** Streams that could not be read completely; a sync reads them later. */
  readonly remaining: readonly string[];
}

/** Maximum number of pages of a stream that are read after a write; a sync reads the rest. */
const MOST_PAGES = 3;

/**
 * Reads what changed in the streams of the entities that a write touches according to its mapping, so that a read right after
 * the write shows it. A stream without a cursor, or one that was never synchronized, is left to a sync. The write has already
 * succeeded, so errors are only logged.
 */
export async function readTouched(queue: HeldQueue, write: OpenWrite): Promise<Touched> {
  const pages: TouchedPage[] = [];
  const remaining: string[] = [];
  for (const stream of touchedStreams(queue, write)) {
    try {
      const found = await changesOf(queue, stream);
      pages.push(...found.pages);
      if (!found.isComplete) remaining.push(stream.name);
    } catch (error) {
      if (error instanceof LockLost) throw error;
      const { writeId } = write;
      queue.log.warn({ err: error, writeId, stream: stream.name }, 'records changed by a write are read by a sync');
      remaining.push(stream.name);
    }
  }
  return { pages, remaining };
}

function touchedStreams({ model }: HeldQueue, { entity, op, action }: OpenWrite): Stream[] {
  const mapping = model.mappings[entity];
  const touches = (op === 'action' ? mapping?.actions[action ?? '']?.touches : mapping?.touches) ?? [];
  return [...new Set(touches.flatMap((name) => streamOf(model, name) ?? []))];
}

/** The high-water mark of the stream is not moved: the next sync reads the same rows again, but they are then unchanged. */
async function changesOf({ scope, driver, quota }: HeldQueue, stream: Stream) {
  const { mark } = memoryOf((await syncState(scope, stream.name))?.cursor);
  const pages: TouchedPage[] = [];
  if (mark === null || stream.cursor === undefined || !driver.changes) return { pages, isComplete: false };
  let from: Json | null = null;
  while (pages.length < MOST_PAGES) {
    const since = await logEnd(scope);
    const request = { stream, since: mark, from, limit: stream.pageSize };
    const page: ChangedPage = await quota.run('write', () => partOf(driver, 'changes').pull(request));
    pages.push({ stream, page, since });
    if (page.next === null) return { pages, isComplete: true };
    from = page.next;
  }
  return { pages, isComplete: false };
}

/** Stores touched rows, except those that a sync has stored since they were requested: it may have read a later state. */
export async function storeTouched(scope: Scope, { model }: HeldQueue, { pages }: Touched): Promise<void> {
  for (const { stream, page, since } of pages) {
    const entities = entitiesOf(scope, model, stream.name).map(({ entity }) => entity.name);
    const overtaken = await overtakenKeys(scope, stream, entities, since, null);
    const rows = page.rows.filter(({ key }) => !overtaken.has(key));
    const deleted = (page.deleted ?? []).filter((key) => !overtaken.has(key));
    await storeRows(scope, model, stream, { rows, deleted });
  }
}

/** Requests a sync of the remaining streams. The next scheduled sync reads them even if this request is lost. */
export async function requestRemaining(
  queue: HeldQueue,
  { writeId }: OpenWrite,
  { remaining }: Touched,
): Promise<void> {
  if (remaining.length === 0) return;
  const { connectionId } = queue;
  await queue.jobs
    .addSyncJob({ connectionId, mode: 'incremental', streams: [...remaining] })
    .catch((err) => queue.log.warn({ err, writeId }, 'records changed by a write are read by the next sync'));
}
