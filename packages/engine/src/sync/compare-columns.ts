import { type Column, missingColumns, type Stream, SystemError } from '@unified/connectors';
import { saveSyncState } from '@unified/store';
import { retried } from '../drivers/retry-policy.ts';
import { areNoted, mappingHashes, mappingsOf, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Compares the paths of the mappings with the columns that the connected system shows, before the first pass, when a
 * mapping changed, and when a full pass `begins`. Keeps what it finds for the status of the stream. A system that cannot
 * show its columns is asked again at the next run: the stream may be readable all the same.
 */
export async function compareColumns(
  run: SyncRun,
  stream: Stream,
  memory: StreamMemory,
  begins: boolean,
): Promise<StreamMemory> {
  const { scope, platform } = run.session;
  const compared = mappingHashes(platform, stream);
  if (!begins && areNoted(compared, memory.compared)) return memory;
  const columns = await columnsOf(run, stream);
  if (columns === undefined) return memory;
  const missing = columns ? mappingsOf(platform, stream).flatMap((mapping) => missingColumns(mapping, columns)) : [];
  const cursor: StreamMemory = { ...memory, compared, missing };
  await saveSyncState(scope, stream.name, { cursor });
  return cursor;
}

/** Null where the protocol shows no columns; undefined where the system did not show them now. */
async function columnsOf(
  { session: { driver, broker }, pages, log, signal }: SyncRun,
  stream: Stream,
): Promise<readonly Column[] | null | undefined> {
  const { discover } = driver;
  if (!discover) return null;
  try {
    return await retried(pages, () => broker.run('sync', () => discover.columns(stream)), signal);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    // Where the system cannot be reached, the pass reports it.
    if (error.kind !== 'unavailable') log.warn({ err: error, stream: stream.name }, 'columns not compared');
    return undefined;
  }
}
