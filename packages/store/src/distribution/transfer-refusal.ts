import pg from 'pg';
import { isUnreachable } from '../sql/failures.ts';
import { ClusterRefusal } from './cluster.ts';
import type { ShardPlace } from './connection-place.ts';

export const BLOCKING = 'add --block-writes: writes wait until all rows are copied.';

const AGAIN = 'Repeat the command: it removes what was copied.';

/**
 * The refusal for a transfer from this place that failed before its commit, so that nothing was moved; other errors as they are.
 */
export function transferRefusal(error: unknown, place: ShardPlace): unknown {
  if (error instanceof ClusterRefusal)
    return new ClusterRefusal(`${error.message} Nothing was moved.`, error.remedy, { cause: error });
  const refusal = sessionRefusal(error);
  return refusal instanceof pg.DatabaseError ? refusalOfCitus(refusal, place) : refusal;
}

/** The refusal for an error of a session that ended before the commit; other errors as they are. */
export function sessionRefusal(error: unknown): unknown {
  // Other errors with these codes are those of workers.
  const isOver = error instanceof pg.DatabaseError ? error.severity === 'FATAL' : error instanceof Error;
  if (!isOver || !isUnreachable(error as Error)) return error;
  const reason = error instanceof pg.DatabaseError ? `: ${error.message}` : '';
  return new ClusterRefusal(
    `The database session of the move ended before its commit${reason}. Nothing was moved.`,
    `The coordinator ends it if the command does not respond. ${AGAIN}`,
    { cause: error },
  );
}

function refusalOfCitus(error: pg.DatabaseError, { node }: ShardPlace): ClusterRefusal {
  // Whether Citus may replicate a part of a shard depends on a setting that only superusers can read.
  if (/may not be used as an output plugin/.test(error.message))
    return new ClusterRefusal(
      `${node.name} does not allow Citus to replicate a part of a shard. Nothing was moved.`,
      `Run there, as a superuser: ALTER SYSTEM SET output_plugin_libraries = 'pgoutput', 'test_decoding', 'citus'; SELECT pg_reload_conf(); Or ${BLOCKING}`,
      { cause: error },
    );
  const details = error.hint === undefined ? 'The log of the servers has details.' : error.hint.replace(/\.?$/, '.');
  return new ClusterRefusal(`Citus reported: ${error.message}. Nothing was moved.`, `${details} ${AGAIN}`, {
    cause: error,
  });
}
