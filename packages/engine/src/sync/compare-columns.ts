import {
  type Column,
  type CompiledMapping,
  type MissingColumn,
  missingColumns,
  type Stream,
  SystemError,
  type WrittenTables,
} from '@unified/connectors';
import { saveCustomFields, saveSyncState } from '@unified/store';
import { retried } from '../drivers/retry-policy.ts';
import { entitiesOf, mappingsOf } from '../model/connection-model.ts';
import { areNoted, mappingHashes, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Compares the paths of the mappings with the columns of the connected system: before the first pass, after a mapping
 * changed, and when a full pass `begins`. Stores the result for the status of the stream, and the custom fields with
 * their types and limits. If a system cannot report its columns, the next run tries again: the stream may still be readable.
 */
export async function compareColumns(
  run: SyncRun,
  stream: Stream,
  memory: StreamMemory,
  begins: boolean,
): Promise<StreamMemory> {
  const { scope, model } = run.session;
  const compared = mappingHashes(model, stream);
  if (!begins && areNoted(compared, memory.compared)) return memory;
  const shown = await columnsOf(run, stream);
  if (shown === undefined) return memory;
  for (const { mapping, entity } of entitiesOf(scope, model, stream.name)) {
    const known = mapping.customFields.known(shown.columns);
    await saveCustomFields(
      scope,
      entity,
      known.map(({ label: _, ...field }) => field),
    );
  }
  const mappings = mappingsOf(model, stream.name);
  const missing = mappings.flatMap((mapping) => missingIn(mapping, shown));
  const columns = shown.columns && Object.fromEntries(shown.columns.map(({ name, type }) => [name, type]));
  const cursor: StreamMemory = { ...memory, compared, missing, columns: columns ?? memory.columns };
  await saveSyncState(scope, stream.name, { cursor });
  return cursor;
}

/** What the system reports about a stream; null: nothing that can be compared. */
interface Shown {
  readonly columns: readonly Column[] | null;
  readonly tables: WrittenTables | null;
}

function missingIn(mapping: CompiledMapping, { columns, tables }: Shown): MissingColumn[] {
  return columns === null ? [] : missingColumns(mapping, columns, tables);
}

/** Undefined if the system did not return them this time. */
async function columnsOf(
  { session: { driver, quota }, pages, log, signal }: SyncRun,
  stream: Stream,
): Promise<Shown | undefined> {
  const { discover } = driver;
  if (!discover) return { columns: null, tables: null };
  const look = async (): Promise<Shown> => ({
    columns: await discover.columns(stream),
    tables: (await discover.written?.(stream)) ?? null,
  });
  try {
    return await retried(pages, () => quota.run('sync', look), signal);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    // A system that is not available is reported by the pass.
    if (error.kind !== 'unavailable') log.warn({ err: error, stream: stream.name }, 'columns not compared');
    return undefined;
  }
}
