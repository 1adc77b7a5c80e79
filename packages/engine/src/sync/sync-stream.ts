import type { Json, Stream } from '@unified/connectors';
import { forgetPasses, missingAfterPass, rawRowsAfter, type Scope, saveSyncState, syncState } from '@unified/store';
import { retried } from '../drivers/retried.ts';
import type { Link } from '../drivers/driver-session.ts';
import { deriveAgain, removeRows } from '../records/store-rows.ts';
import { compareColumns } from './compare-columns.ts';
import { logEnd, type Stretch } from './overtaken-keys.ts';
import { noPass, type OpenPass, openPass } from './open-pass.ts';
import { pullPages } from './pull-pages.ts';
import { storePage } from './store-page.ts';
import { areNoted, mappingHashes, memoryOf, type StreamMemory } from './stream-memory.ts';
import type { SyncMode } from '../jobs/sync-mode.ts';
import type { Syncing } from './sync-run.ts';

/**
 * Reads one stream: goes on with an interrupted pass or begins one. Each page is one transaction with the place where
 * the pass goes on, so a run that is killed goes on at the page. Returns whether the pass came to its end. Throws what the
 * connected system answered.
 */
export async function syncStream(syncing: Syncing, stream: Stream, wanted: SyncMode): Promise<boolean> {
  const { link, signal } = syncing;
  const state = await syncState(link.scope, stream.name);
  const derived = await deriveByNewMappings(syncing, stream, memoryOf(state?.cursor));
  const begins = wanted === 'full' && state?.passId == null;
  const memory = await compareColumns(syncing, stream, derived, begins);
  const pass = await openPass(link, stream, wanted, state, memory);
  let rowsSeen = pass.rowsSeen;
  let own: Stretch | null = null;
  for await (const { rows, deleted = [], next, note } of pagesOf(syncing, stream, pass)) {
    syncing.assertHeld();
    rowsSeen += rows.length;
    const seen = pass.mode === 'full' ? { pass } : {};
    own = await storePage(link, stream, { page: { rows, deleted }, since: note, own, ...seen }, async (scope) => {
      if (next === null) await endPass(scope, link, stream, pass, memory);
      await saveSyncState(scope, stream.name, { rowsSeen, ...(next !== null && { passFrom: next }) });
    });
    await syncing.endUnlessActive();
    if (signal.aborted && next !== null) return false;
  }
  syncing.log.info({ stream: stream.name, mode: pass.mode, rows: rowsSeen }, 'stream synchronised');
  return true;
}

function pagesOf({ link, pages, signal }: Syncing, stream: Stream, pass: OpenPass) {
  const { mode, since } = pass;
  const pull = (from: Json | null) =>
    retried(
      pages,
      () =>
        link.broker.run('sync', () => link.driver.pull({ stream, mode, since, from, limit: stream.pageSize, signal })),
      signal,
    );
  return pullPages(pull, pass.from, () => logEnd(link.scope));
}

/** Ends a pass; the run ends it for others, in `finishRun`. Only here, after the last page of a full pass without an error, are missing rows taken to be deleted. */
async function endPass(scope: Scope, link: Link, stream: Stream, pass: OpenPass, memory: StreamMemory): Promise<void> {
  const isFull = pass.mode === 'full';
  if (isFull && stream.deletes !== 'none') {
    await removeRows(scope, link.platform, stream, await missingAfterPass(scope, stream.name, pass));
  }
  await forgetPasses(scope, stream.name);
  const fullAt = isFull ? pass.startedAt : memory.fullAt;
  const cursor: StreamMemory = { ...memory, mark: pass.mark, fullAt };
  await saveSyncState(scope, stream.name, { ...noPass, passMode: pass.mode, cursor, error: null });
}

const BATCH = 1000;

/** Where a mapping changed since the records were made, makes them again from the rows that are stored. */
async function deriveByNewMappings(
  { link, signal, endUnlessActive }: Syncing,
  stream: Stream,
  memory: StreamMemory,
): Promise<StreamMemory> {
  const { scope, platform } = link;
  const mappings = mappingHashes(platform, stream);
  const isKnown = areNoted(mappings, memory.mappings);
  if (isKnown && areNoted(memory.mappings, mappings)) return memory;
  // A mapping that is gone, or cannot be used, is forgotten: when it is back, its records are made again.
  for (let after = ''; !signal.aborted && !isKnown; ) {
    const rows = await rawRowsAfter(scope, stream.name, after, BATCH);
    const last = rows.at(-1);
    if (!last) break;
    await scope.transaction((inner) => deriveAgain(inner, platform, stream, rows));
    after = last.key;
    await endUnlessActive();
  }
  if (signal.aborted) return memory;
  const cursor: StreamMemory = { ...memory, mappings };
  await saveSyncState(scope, stream.name, { cursor });
  return cursor;
}
