import type pg from 'pg';
import { withClient } from '../sql/with-client.ts';
import { CURRENT_POSITION, type WalPosition, walPosition } from './wal-position.ts';

/** What makes a server the same as another, apart from what it has not replayed yet. */
export interface ServerIdentity {
  /** Number that `initdb` has given to the database system, and that replicas copy. */
  readonly system: string;
  /** Increases when a replica is promoted. */
  readonly timeline: number;
}

interface Sample {
  readonly position: WalPosition;
  /** Milliseconds on the clock of this process. */
  readonly at: number;
}

/** A replica may not execute the functions for the current position, so this is for the primary only. */
const PRIMARY = `
  select ${CURRENT_POSITION} as lsn, (select system_identifier::text from pg_control_system()) as system,
         ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`;

/**
 * The positions of the primary in the last seconds. They show how long ago the primary was where a replica is now, by the clock
 * of this process alone.
 */
export class PrimaryLog {
  readonly #maxLagMs: number;
  readonly #samples: Sample[] = [];
  /** Replicas that have not replayed this position are not used. */
  least: WalPosition = '';
  identity: ServerIdentity | undefined;
  /** Why the last attempt to read the primary failed; undefined if it succeeded. */
  failure: Error | undefined;

  constructor(maxLagMs: number) {
    this.#maxLagMs = maxLagMs;
  }

  /** Reads the position of the primary. Throws SERVICE_UNAVAILABLE. */
  async read(owner: pg.Pool): Promise<void> {
    // Before the statement, so that a slow one does not make replicas look newer.
    const at = performance.now();
    try {
      const { rows } = await withClient(owner, (client) => client.query(PRIMARY));
      const [{ lsn, system, timeline }] = rows;
      this.identity = { system, timeline };
      this.failure = undefined;
      this.note(walPosition(lsn), at);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** Adds a position that the primary had at a time. */
  note(position: WalPosition, at: number): void {
    this.#samples.push({ position, at });
    // Of those that are older than the permitted lag, only the newest matters.
    while ((this.#samples[1]?.at ?? at) <= at - this.#maxLagMs) this.#samples.shift();
  }

  /** From now on, replicas that have not replayed this position are not used. */
  requireAtLeast(position: WalPosition): void {
    if (position > this.least) this.least = position;
  }

  /**
   * What a replica must have replayed so that it lags no more than permitted. A process that has run for a shorter time
   * requires the first position that it has read, because it does not know when the primary was at earlier ones.
   */
  required(): WalPosition {
    return this.#samples[0]?.position ?? '';
  }

  /** The last position that was read. */
  get latest(): WalPosition {
    return this.#samples.at(-1)?.position ?? '';
  }
}
