import type { Stream } from '@unified/connectors';
import { countRawRows, otherStatements, type Scope, saveSyncState } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { brokenMapping } from '../model/broken-platform.ts';
import { deriveAgain, removeRecordsOf } from '../records/store-rows.ts';
import { batchesOf } from './derive-batches.ts';
import { giveWay } from './give-way.ts';
import { comparisonOf } from './row-comparison.ts';
import { areNoted, type Deriving, mappingHashes, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';

type Run = Pick<SyncRun, 'session' | 'signal' | 'endUnlessActive'>;

/**
 * Derives records again from stored rows if a mapping of the stream changed since they were derived, and continues where an
 * earlier call was interrupted. Returns the new memory of the stream, or the given one if the signal aborts.
 */
export async function deriveByNewMappings(run: Run, stream: Stream, memory: StreamMemory): Promise<StreamMemory> {
  const { scope, model } = run.session;
  const mappings = mappingHashes(model, stream);
  const gone = goneFrom(run.session, memory, mappings);
  const isKnown = memory.deriving === null && areNoted(mappings, memory.mappings);
  if (isKnown && gone.length === 0 && areNoted(memory.mappings, mappings)) return memory;
  // A broken mapping is removed from the stored hashes: once it can be used again, its records are derived again.
  if (!isKnown || gone.length > 0) await deriveAll(run, stream, memory, { mappings, gone });
  if (run.signal.aborted) return memory;
  const cursor: StreamMemory = { ...memory, mappings, deriving: null };
  await saveSyncState(scope, stream.name, { cursor });
  return cursor;
}

/** Entities that used to be read from the stream, but are now read from another one or not at all. */
function goneFrom(
  { model, scope }: DriverSession,
  { mappings: noted, deriving }: StreamMemory,
  mappings: StreamMemory['mappings'],
): string[] {
  const before = [...Object.keys(noted), ...Object.keys(deriving?.mappings ?? {}), ...(deriving?.gone ?? [])];
  return [...new Set(before)].filter(
    (entity) => !Object.hasOwn(mappings, entity) && scope.entities[entity] && !brokenMapping(model, entity),
  );
}

async function deriveAll(
  { session, signal, endUnlessActive }: Run,
  stream: Stream,
  memory: StreamMemory,
  wanted: Pick<Deriving, 'mappings' | 'gone'>,
): Promise<void> {
  const { scope, model } = session;
  let progress = await begun(scope, stream, memory, wanted);
  const batches = batchesOf(scope, stream, progress.after, comparisonOf(model, progress));
  let began = performance.now();
  for await (const { after, keys, derivable } of batches) {
    progress = { ...progress, after, rows: progress.rows + keys.length };
    // Whatever interrupts the derivation, none of the earlier hashes is valid from here on.
    const cursor: StreamMemory = { ...memory, mappings: {}, deriving: progress };
    const others = await scope.transaction(async (inner) => {
      for await (const rows of derivable(inner)) await deriveAgain(inner, model, stream, rows);
      await removeRecordsOf(inner, stream, wanted.gone, keys);
      await saveSyncState(inner, stream.name, { cursor });
      return otherStatements(inner);
    });
    await endUnlessActive();
    if (signal.aborted) return;
    await giveWay(performance.now() - began, others, signal);
    began = performance.now();
  }
}

/** The progress of an interrupted derivation by the same mappings, or of a new derivation. */
async function begun(
  scope: Scope,
  stream: Stream,
  { mappings: from, deriving }: StreamMemory,
  { mappings, gone }: Pick<Deriving, 'mappings' | 'gone'>,
): Promise<Deriving> {
  const isSame = deriving !== null && areNoted(mappings, deriving.mappings) && areNoted(deriving.mappings, mappings);
  if (isSame) return deriving;
  return { mappings, from, gone, after: '', rows: 0, totalRows: await countRawRows(scope, stream.name) };
}
