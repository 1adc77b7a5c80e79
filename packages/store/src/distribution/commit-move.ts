import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';
import { placeOf, type ShardPlace } from './connection-place.ts';
import { lockMoves } from './move-lock.ts';
import type { Transfer } from './transfer.ts';
import { transferRefusal } from './transfer-refusal.ts';

/** Opens another database session for `work`. */
export type OpenSession = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;

/** How long to wait for a server that was restarted, or for the end of the session that commits. */
const PATIENCE_MS = 30_000;

/**
 * Commits the transaction of a move. If the response does not arrive, determines whether it was committed. Throws
 * `ClusterRefusal` if it was not, or if that cannot be determined.
 */
export async function commitMove(
  mover: pg.Client,
  { connectionId, place, to }: Transfer,
  openSession: OpenSession,
): Promise<void> {
  try {
    await mover.query('commit');
  } catch (error) {
    // A session that still responds has completed or rolled back the commit.
    const found = await placeOf(mover, connectionId).catch(() => placeLater(connectionId, openSession));
    if (found.node.id !== to.id) throw transferRefusal(error, place);
  }
}

/** The shard of a connection after the session of its move has ended. */
async function placeLater(connectionId: string, openSession: OpenSession): Promise<ShardPlace> {
  const look = async (client: pg.Client) => {
    await lockMoves(client);
    return placeOf(client, connectionId);
  };
  for (const until = performance.now() + PATIENCE_MS; ; await pause(500)) {
    try {
      return await openSession(look);
    } catch (error) {
      if (performance.now() > until) throw unknownOutcome(connectionId, error);
    }
  }
}

function unknownOutcome(connectionId: string, error: unknown): ClusterRefusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new ClusterRefusal(
    `The database session of the move ended during its commit, and the coordinator cannot be asked whether the connection was moved: ${reason}`,
    `When it can be reached, see where the connection is: npm run admin -- connection where ${connectionId}. Then repeat the command: it removes what is left.`,
    { cause: error },
  );
}
