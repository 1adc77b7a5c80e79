import { type ChangedPage, type Json, partOf, type RawRow, type Stream } from '@unified/connectors';
import {
  countRawRows,
  forgetPasses,
  type HashedRow,
  hashRows,
  missingAfterPass,
  type Scope,
  saveSyncState,
  syncState,
} from '@unified/store';
import { retried } from '../drivers/retry-policy.ts';
import type { SyncMode } from '../jobs/jobs.ts';
import { removeRows } from '../records/store-rows.ts';
import { type CheckPage, compareColumns, pageCheck } from './compare-columns.ts';
import { deriveByNewMappings } from './derive-stream.ts';
import { isUnchanged, noPass, type OpenPass, openPass } from './open-pass.ts';
import { passPlan } from './pass-plan.ts';
import { type LogRange, logEnd, storePage } from './store-page.ts';
import { memoryOf, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';
import { DeletesWithheld, withheldOf } from './withheld-deletes.ts';

/**
 * Reads one stream: continues an interrupted pass or begins one. Each page is stored in one transaction with the position of
 * the next page, so the sync continues at that page if the run is killed. Returns whether the pass was completed. Throws errors
 * of the connected system.
 */
export async function syncStream(run: SyncRun, stream: Stream, wanted: SyncMode): Promise<boolean> {
  const { session, signal } = run;
  const state = await syncState(session.scope, stream.name);
  const derived = await deriveByNewMappings(run, stream, memoryOf(state?.cursor));
  if (signal.aborted) return false;
  const plan = passPlan(run, stream, state, derived, wanted);
  const memory = plan.comparison === 'before' ? await compareColumns(run, stream, derived) : derived;
  if (await isUnchanged(session, stream, plan, memory)) {
    if (memory.withheld) throw new DeletesWithheld(stream, memory.withheld, session.driver);
    await saveSyncState(session.scope, stream.name, noError);
    run.log.info({ stream: stream.name }, 'stream unchanged');
    return true;
  }
  const pass = await retried(run.pages, () => openPass(session, stream, plan, state, memory), signal);
  return readPass(run, stream, pass, memory, pageCheck(run, stream, plan.comparison));
}

/** Reads and stores the pages of a pass. Returns whether it was completed. */
async function readPass(
  run: SyncRun,
  stream: Stream,
  pass: OpenPass,
  begun: StreamMemory,
  checkPage: CheckPage,
): Promise<boolean> {
  const { session, signal } = run;
  let memory = begun;
  let rowsSeen = pass.rowsSeen;
  let own: LogRange | null = null;
  for await (const page of pagesOf(run, stream, pass)) {
    const { rows, deleted = [], next, note, whenIdle } = page;
    run.assertHeld();
    memory = await checkPage(memory, page);
    rowsSeen += rows.length;
    const seen = pass.mode === 'full' ? { pass } : {};
    const given = { page: { rows, deleted }, since: note, own, whenIdle, ...seen };
    own = await storePage(session, stream, given, async (scope) => {
      if (next === null) memory = await endPass(scope, run, stream, pass, memory);
      await saveSyncState(scope, stream.name, { rowsSeen, ...(next !== null && { passFrom: next }) });
    });
    await run.endUnlessActive();
    if (signal.aborted && next !== null) return false;
  }
  if (memory.withheld) throw new DeletesWithheld(stream, memory.withheld, session.driver);
  run.log.info({ stream: stream.name, mode: pass.mode, rows: rowsSeen }, 'stream synchronized');
  return true;
}

/** Values of the state columns after a success. */
const noError = { error: null, errorCode: null, failingSince: null } as const;

function pagesOf({ session, pages, signal }: SyncRun, stream: Stream, pass: OpenPass) {
  const { driver, quota, scope } = session;
  const read = (from: Json | null): Promise<ChangedPage> => {
    const request = { stream, from, limit: stream.pageSize, signal };
    if (pass.mode === 'full') return driver.pull(request);
    return partOf(driver, 'changes').pull({ ...request, since: pass.since });
  };
  const pull = (from: Json | null) => retried(pages, () => quota.run('sync', () => read(from)), signal);
  return pullPages(pull, pass.from, () => logEnd(scope));
}

/**
 * Ends a pass after its last page. Only here are rows deleted that a full pass did not see, since only a pass without an error
 * has seen all rows, and only if they are not too many. The stream counts as synchronized later, in `finishRun`.
 */
async function endPass(
  scope: Scope,
  { session, acceptsDeletes }: SyncRun,
  stream: Stream,
  pass: OpenPass,
  memory: StreamMemory,
): Promise<StreamMemory> {
  const isFull = pass.mode === 'full';
  let { withheld } = memory;
  if (isFull && stream.deletes !== 'none') {
    const missing = await missingAfterPass(scope, stream.name, pass);
    // Rows that were read repeatedly count once.
    const rows = missing.length > 0 ? await countRawRows(scope, stream.name) : 0;
    withheld = acceptsDeletes ? null : withheldOf(stream, missing.length, rows);
    if (!withheld) await removeRows(scope, session.model, stream, missing);
  }
  await forgetPasses(scope, stream.name);
  const fullAt = isFull ? pass.startedAt : memory.fullAt;
  const isFullOwed = !isFull && memory.isFullOwed === true;
  const cursor: StreamMemory = { ...memory, mark: pass.mark, fullAt, withheld, isFullOwed };
  await saveSyncState(scope, stream.name, { ...noPass, ...noError, passMode: pass.mode, cursor });
  return cursor;
}

/** A page whose rows are hashed, with the note that `note` returned before the page was requested. */
export interface ObservedPage<Note> extends Omit<ChangedPage, 'rows'> {
  readonly rows: readonly (RawRow & HashedRow)[];
  readonly note: Note;
  /** Hashes the rows of the next page. Call it when this process has time. If not, they are hashed when it is requested. */
  readonly whenIdle: () => void;
}

/**
 * The pages of a pass from `from` on. While the caller stores one page, the next is already being pulled, and its rows are hashed
 * as soon as the caller is idle. `note` is called before each pull.
 */
export async function* pullPages<Note>(
  pull: (from: Json | null) => Promise<ChangedPage>,
  from: Json | null,
  note: () => Promise<Note>,
): AsyncGenerator<ObservedPage<Note>, void, void> {
  const observe = async (position: Json | null, callerIsIdle: Promise<void>) => {
    const noted = await note();
    const page = await pull(position);
    await callerIsIdle;
    return { ...page, rows: await hashRows(page.rows), note: noted };
  };
  let pulling = observe(from, Promise.resolve());
  for (;;) {
    const page = await pulling;
    const { promise, resolve: whenIdle } = Promise.withResolvers<void>();
    if (page.next === null) return yield { ...page, whenIdle };
    pulling = observe(page.next, promise);
    // A failure is thrown when the page is awaited; an unhandled rejection before that would end the process.
    pulling.catch(() => {});
    yield { ...page, whenIdle };
    whenIdle();
  }
}
