import { ServiceError } from '@unified/contract';
import type pg from 'pg';
import { isUnreachable, type ServerFailure } from '../sql/failures.ts';
import { type FairLimits, fairClients, type UseClient } from '../sql/fair-clients.ts';
import { openReadPools, type ReadPools } from '../sql/session.ts';
import type { PrimaryLog } from './primary-log.ts';
import { ReplicaClient } from './replica-client.ts';
import { type WalPosition, walPosition } from './wal-position.ts';

/** How the pools of each replica are limited, as those of the primary are. */
export interface ReplicaLimits {
  readonly size: number;
  readonly tenants: FairLimits;
  readonly queries: FairLimits;
}

/** How a replica is used at the moment. */
export interface ReplicaState {
  /** Its place in the settings, from 1. */
  readonly number: number;
  /** Why it is not used; undefined while it is. */
  readonly problem: string | undefined;
}

const STATE = `
  select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed,
         (select system_identifier::text from pg_control_system()) as system,
         greatest((select timeline_id from pg_control_checkpoint()),
                  (select min_recovery_end_timeline from pg_control_recovery())) as timeline`;

/** Milliseconds to wait for a database connection to a replica. The primary serves reads that would wait longer. */
const CONNECT_MS = 2_000;
/** Milliseconds within which the position that a replica has reached since its last check counts as current. */
const CURRENT_MS = 20;

/**
 * One replica: its pools, and what the last check has found. Positions only increase while one database connection lives: when
 * it breaks, they are forgotten, since a replica that starts again may be behind what it had replayed.
 */
export class Replica {
  readonly number: number;
  readonly pools: ReadPools;
  readonly tenantsOf: (owner: string) => UseClient;
  readonly queriesOf: (owner: string) => UseClient;
  /** Reads that it has served. */
  reads = 0;
  #replayed: WalPosition | undefined;
  #problem: string | undefined = 'it has not been checked yet';
  #checking: Promise<void> | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #client: ReplicaClient;
  readonly #primary: PrimaryLog;
  readonly #onState: (state: ReplicaState) => void;
  /** Clients that wait for a response. */
  readonly #busy = new Set<pg.ClientBase>();

  constructor(
    { number, url }: { readonly number: number; readonly url: string },
    limits: ReplicaLimits,
    { primary, onState }: { readonly primary: PrimaryLog; readonly onState: (state: ReplicaState) => void },
  ) {
    this.number = number;
    this.#primary = primary;
    this.#onState = onState;
    // Its checks report what is wrong with it.
    const onError = () => {};
    this.pools = openReadPools(url, {
      ...{ size: limits.size, connectTimeoutMs: CONNECT_MS, onError },
      onConnect: (client) => this.#verify(client),
    });
    this.tenantsOf = fairClients(this.pools.tenants, limits.tenants);
    this.queriesOf = fairClients(this.pools.queries, limits.queries);
    this.#client = new ReplicaClient(url, (error) => this.takeOut(error));
    for (const pool of Object.values(this.pools)) {
      pool.on('acquire', (client: pg.PoolClient) => this.#busy.add(client));
      pool.on('release', (_error: unknown, client: pg.PoolClient) => this.#busy.delete(client));
    }
  }

  /** Whether reads may run on it, if they need nothing that it has not replayed. */
  get isUsed(): boolean {
    return this.#problem === undefined && this.replayed >= this.#primary.least;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** The position that it had replayed at the last check; later ones may be replayed as well. Empty if it is unknown. */
  get replayed(): WalPosition {
    return this.#replayed ?? '';
  }

  /** Checks whether it can be used. Calls at the same time share one check. Rejects if it does not respond. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Whether it has replayed a position, according to a check that is made now, or was just made. */
  async hasReached(position: WalPosition): Promise<boolean> {
    if (performance.now() - this.#checkedAt >= CURRENT_MS) await this.check().catch(() => {});
    return this.isUsed && this.replayed >= position;
  }

  /** Does not use it until a check succeeds; reads that wait for it end, so that they can run elsewhere. */
  takeOut(error: Error): void {
    this.#replayed = undefined;
    this.#setProblem(`it cannot be reached: ${error.message}`);
    // Closing a client that is in use breaks its connection, so that its statement fails.
    for (const client of this.#busy) (client as pg.Client).end().catch(() => {});
  }

  /** A read has failed on it. */
  failed({ cause }: ServerFailure): void {
    if (isUnreachable(cause) || cause instanceof ReplicaReplaced) this.takeOut(cause);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#client.close(), ...Object.values(this.pools).map((pool) => pool.end())]);
  }

  async #check(): Promise<void> {
    try {
      const found = await this.#client.query(STATE);
      const replayed = found.replayed === null ? undefined : walPosition(String(found.replayed));
      this.#replayed = replayed;
      this.#checkedAt = performance.now();
      this.#setProblem(this.#problemOf(found, replayed));
    } catch (error) {
      this.takeOut(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  #problemOf(found: Readonly<Record<string, unknown>>, replayed: WalPosition | undefined): string | undefined {
    const { identity } = this.#primary;
    if (identity === undefined) return 'the primary has not been read yet';
    if (found.system !== identity.system) return 'it belongs to another database system than the primary';
    if (found.standby !== true || replayed === undefined) return 'it is not a replica, or was promoted';
    if (found.timeline !== identity.timeline) return 'it does not follow the timeline of the primary';
    return replayed < this.#primary.required() ? 'it lags behind the primary' : undefined;
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem || this.#isClosed) return;
    this.#problem = problem;
    this.#onState({ number: this.number, problem });
  }

  /** A new database connection may lead to a server that was started or replaced since the last check. */
  async #verify(client: pg.ClientBase): Promise<void> {
    const known = this.replayed;
    const found = await this.#whileBusy(client, () =>
      client.query('select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed'),
    );
    const [{ standby, replayed }] = found.rows;
    if (standby && replayed !== null && known !== '' && walPosition(replayed) >= known) return;
    const message = 'The replica is not the server that was checked.';
    throw new ServiceError('SERVICE_UNAVAILABLE', message, { cause: new ReplicaReplaced(message) });
  }

  async #whileBusy<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
    this.#busy.add(client);
    try {
      return await work();
    } finally {
      this.#busy.delete(client);
    }
  }
}

/** A server that is not the replica that was checked, or is behind it. */
class ReplicaReplaced extends Error {}
