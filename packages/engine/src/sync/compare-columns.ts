import { isDeepStrictEqual } from 'node:util';
import {
  type Column,
  type CompiledMapping,
  type MissingColumn,
  missingColumns,
  namesOfPath,
  type PulledPage,
  type RawRow,
  type Stream,
  SystemError,
  type WrittenTables,
} from '@unified/connectors';
import { emitInScope, type Scope, saveCustomFields, saveSyncState } from '@unified/store';
import { retried } from '../drivers/retry-policy.ts';
import { entitiesOf, mappingsOf } from '../model/connection-model.ts';
import {
  type ColumnChange,
  columnChanges,
  keptChanges,
  lostColumns,
  lostMessage,
  newChanges,
} from './column-changes.ts';
import { mappingHashes, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * How the columns of the stream are compared with the mappings: before the pass, or with the columns of its first rows. `later`
 * if no comparison is due: then only before rows are stored.
 */
export type Comparison = 'before' | 'rows' | 'later';

/**
 * Compares the paths of the mappings with the columns of the connected system, before a pass. Stores the result for the status of
 * the stream, and the custom fields with their types and limits. If a system cannot report its columns, the next run tries again:
 * the stream may still be readable.
 *
 * @throws {SystemError} `rejected` if a column that a mapping reads disappeared: reading the rows would empty fields
 */
export async function compareColumns(run: SyncRun, stream: Stream, memory: StreamMemory): Promise<StreamMemory> {
  const shown = await columnsOf(run, stream);
  return shown === undefined ? memory : noteColumns(run, stream, memory, shown);
}

/** Compares the columns with a page of a pass if this is due, before the page is stored. Returns the new memory of the stream. */
export type CheckPage = (memory: StreamMemory, page: Pick<PulledPage, 'rows' | 'next'>) => Promise<StreamMemory>;

/** The comparison of the columns while the pages of a pass are read. */
export function pageCheck(run: SyncRun, stream: Stream, comparison: Comparison): CheckPage {
  return comparison === 'rows'
    ? rowsComparison(run, stream)
    : rowsCheck(run, stream, { isDue: comparison === 'later' });
}

/** Number of rows of a pass whose columns are compared, if the system does not describe its rows. */
const INFERRED_FROM = 100;

/**
 * Returns a comparison with the columns of the first rows of a full pass, for systems that do not describe their rows: a sample
 * would only cost further calls. A pass without rows has no columns.
 */
function rowsComparison(run: SyncRun, stream: Stream): CheckPage {
  const read: RawRow[] = [];
  let isDone = false;
  return async (memory, { rows, next }) => {
    if (isDone) return memory;
    read.push(...rows.slice(0, INFERRED_FROM - read.length));
    if (read.length < INFERRED_FROM && next !== null) return memory;
    isDone = true;
    const shown = await columnsOf(run, stream, read);
    return shown === undefined ? memory : noteColumns(run, stream, memory, shown);
  };
}

/** Whether the columns of a stream are known only from its rows. */
export function infersColumns({ session: { driver } }: SyncRun): boolean {
  return driver.discover?.infersColumns === true;
}

/**
 * Returns a check of the pages of a pass before they are stored. The columns are compared before the first rows, unless the pass
 * began with it, and once again if the rows of a later page lack a column that a mapping reads: it may have
 * disappeared since then. Not for columns that are known only from rows.
 */
function rowsCheck(run: SyncRun, stream: Stream, begun: { readonly isDue: boolean }): CheckPage {
  const isInferred = infersColumns(run);
  const paths = mappingsOf(run.session.model, stream.name).flatMap((mapping) => mapping.paths);
  const needed = [...new Set(paths.map(({ path }) => namesOfPath(path)[0] ?? ''))];
  let { isDue } = begun;
  let isRepeated = false;
  const lacksColumn = ({ columns }: StreamMemory, rows: readonly RawRow[]) =>
    needed.some((name) => Object.hasOwn(columns ?? {}, name) && !rows.some(({ row }) => Object.hasOwn(row, name)));
  return async (memory, { rows }) => {
    if (isInferred || rows.length === 0 || memory.columns === null) return memory;
    const isAgain = !isDue && !isRepeated && lacksColumn(memory, rows);
    if (!isDue && !isAgain) return memory;
    isDue = false;
    isRepeated ||= isAgain;
    const shown = await columnsOf(run, stream);
    return shown === undefined ? memory : noteColumns(run, stream, memory, shown);
  };
}

async function noteColumns(run: SyncRun, stream: Stream, memory: StreamMemory, shown: Shown): Promise<StreamMemory> {
  const { scope, model } = run.session;
  const compared = mappingHashes(model, stream);
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
  const drift = driftOf(run, stream, memory, shown);
  const noted = { compared, missing, options: stream.options, isComparisonOwed: false };
  const cursor: StreamMemory = { ...memory, ...noted, ...drift.memory };
  await scope.transaction(async (inner) => {
    await saveSyncState(inner, stream.name, { cursor });
    if (drift.fresh.length > 0) await emitChanges(inner, stream, drift.fresh);
  });
  if (drift.fresh.length > 0)
    run.log.warn({ stream: stream.name, columns: drift.fresh }, changeMessage(memory, stream));
  if (drift.lost.length === 0) return cursor;
  throw new SystemError('rejected', lostMessage(stream.name, drift.lost));
}

/** What changed in the columns of a stream. Those that are lost stay among its columns until no mapping reads them. */
function driftOf(run: SyncRun, stream: Stream, memory: StreamMemory, { columns, isInferred }: Shown) {
  if (columns === null) return { fresh: [], lost: [], memory: {} };
  const mappings = mappingsOf(run.session.model, stream.name);
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
  // A sample of rows need not have every column.
  const after = isInferred ? { ...memory.columns, ...types } : types;
  const { columns: before } = memory;
  const found = before ? columnChanges(before, after, mappings, new Date().toISOString()) : [];
  const lost = run.acceptsColumns ? [] : lostColumns(found);
  const kept = Object.fromEntries(lost.map(({ column, from }) => [column, from ?? '']));
  const fresh = newChanges(memory.changes, found);
  const changes = keptChanges(memory.changes, fresh, after);
  return { fresh, lost, memory: { columns: { ...after, ...kept }, changes, isBlocked: lost.length > 0 } };
}

/** If the options of the stream changed as well, such as the fields that it reads, they are the likely cause. */
function changeMessage({ options }: StreamMemory, stream: Stream): string {
  const isEdited = options !== undefined && !isDeepStrictEqual(options, stream.options);
  return `columns of a stream changed ${isEdited ? 'after its options were edited in the platform' : 'in the connected system'}`;
}

function emitChanges(scope: Scope, { name: stream }: Stream, columnChanges: readonly ColumnChange[]): Promise<void> {
  const { connectionId } = scope;
  const data = {
    connectionId,
    stream,
    columnChanges: columnChanges.map(({ fields, ...each }) => ({ ...each, fields: [...fields] })),
  };
  return emitInScope(scope, { type: 'sync.columns_changed', subject: `columns ${connectionId} ${stream}`, data });
}

/** What the system reports about a stream; null if nothing can be compared. */
interface Shown {
  readonly columns: readonly Column[] | null;
  readonly tables: WrittenTables | null;
  /** Whether the columns are those of a sample of rows. */
  readonly isInferred: boolean;
}

function missingIn(mapping: CompiledMapping, { columns, tables }: Shown): MissingColumn[] {
  return columns === null ? [] : missingColumns(mapping, columns, tables);
}

/** Undefined if the system did not return them this time. */
async function columnsOf(
  { session: { driver, quota }, pages, log, signal }: SyncRun,
  stream: Stream,
  rows?: readonly RawRow[],
): Promise<Shown | undefined> {
  const { discover } = driver;
  if (!discover) return { columns: null, tables: null, isInferred: false };
  const look = async (): Promise<Shown> => ({
    columns: await discover.columns(stream, rows),
    tables: (await discover.written?.(stream)) ?? null,
    isInferred: discover.infersColumns === true,
  });
  // Rows that were read need no call, which a pause of the system would refuse.
  if (rows) return look();
  try {
    return await retried(pages, () => quota.run('sync', look), signal);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    // A system that is not available is reported by the pass.
    if (error.kind !== 'unavailable') log.warn({ err: error, stream: stream.name }, 'columns not compared');
    return undefined;
  }
}
