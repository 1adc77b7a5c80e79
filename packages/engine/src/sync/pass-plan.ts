import type { Stream } from '@unified/connectors';
import type { SyncState } from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import { type Comparison, infersColumns } from './compare-columns.ts';
import { areNoted, mappingHashes, type StreamMemory } from './stream-memory.ts';
import type { SyncRun } from './sync-run.ts';

/** How a run reads a stream. */
export interface PassPlan {
  /** `full` if the pass reads all rows: because it is wanted, because it continues a full one, or because only that is possible. */
  readonly mode: SyncMode;
  /** Whether the pass that was interrupted is continued. */
  readonly continues: boolean;
  /** Whether the stream need not be read if the system reports that it is unchanged. */
  readonly maySkip: boolean;
  readonly comparison: Comparison;
}

/** Decides how a stream is read, from its state and from the mode that is wanted. */
export function passPlan(
  run: SyncRun,
  stream: Stream,
  state: SyncState | null,
  memory: StreamMemory,
  asked: SyncMode,
): PassPlan {
  const wanted = run.acceptsDeletes && memory.withheld ? 'full' : asked;
  const interrupted = state?.passId == null ? null : state.passMode;
  const isPartial = wanted === 'incremental' && interrupted !== 'full' && memory.mark !== null;
  const mode = isPartial && stream.cursor !== undefined ? 'incremental' : 'full';
  const continues = interrupted === mode;
  const isDue = (wanted === 'full' && !continues) || isComparisonDue(run, stream, memory);
  // A sample of a system that does not describe its rows would only cost further calls.
  const inRows = mode === 'full' && infersColumns(run) ? 'rows' : 'before';
  return { mode, continues, maySkip: isPartial && interrupted === null, comparison: isDue ? inRows : 'later' };
}

/** Whether the columns were not compared since a mapping changed, a column was lost, or a full pass began. */
function isComparisonDue({ session }: SyncRun, stream: Stream, memory: StreamMemory): boolean {
  const { isBlocked, compared, isComparisonOwed = false } = memory;
  return isBlocked || isComparisonOwed || !areNoted(mappingHashes(session.model, stream), compared);
}
