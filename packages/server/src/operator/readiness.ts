import { isMigrated, type Store, workloadOf } from '@unified/store';
import { withinPatience } from './within-patience.ts';

/** Whether requests may be sent to this process, and what that depends on. */
export interface Readiness {
  readonly isReady: boolean;
  readonly process: 'starting' | 'running' | 'stopping';
  readonly database?: 'ok' | 'unreachable';
  /** `other release`: a newer release has migrated the database. */
  readonly migrations?: 'ok' | 'other release';
  /**
   * Seconds since the oldest write that waits for a worker was accepted. It is for information: taking servers out of service
   * would not shorten the queue.
   */
  readonly oldestWriteSeconds?: number;
}

/** Reads the state of the database; one that does not respond in time is unreachable. Never rejects. */
export async function readinessOf(store: Store, process: Readiness['process']): Promise<Readiness> {
  try {
    const [isOurs, waiting] = await Promise.all([withinPatience(isMigrated(store)), waitingWrites(store)]);
    const migrations = isOurs ? 'ok' : 'other release';
    const isReady = process === 'running' && isOurs;
    return { isReady, process, database: 'ok', migrations, ...waiting };
  } catch {
    // The watch of the database logs why it cannot be reached.
    return { isReady: false, process, database: 'unreachable' };
  }
}

/** Nothing if they cannot be counted: a slow count of a long queue must not take all servers out of service at the same time. */
function waitingWrites(store: Store): Promise<Pick<Readiness, 'oldestWriteSeconds'>> {
  return withinPatience(workloadOf(store)).then(
    ({ oldestWriteSeconds }) => ({ oldestWriteSeconds }),
    () => ({}),
  );
}
