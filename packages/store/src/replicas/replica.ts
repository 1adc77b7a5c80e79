import { ServiceError } from '@unified/contract';
import type pg from 'pg';
import { isPoolBusy, isUnreachable, type ServerFailure } from '../sql/failures.ts';
import { type FairLimits, fairClients, type OwnerClients } from '../sql/fair-clients.ts';
import { openReadPools, type ReadPools } from '../sql/pools.ts';
import type { PrimaryLog } from './primary-log.ts';
import { ReplicaClient } from './replica-client.ts';
import { type WalPosition, walPosition } from './wal-position.ts';

/** How the pools of each replica are limited, as those of the primary are. */
export interface ReplicaLimits {
  readonly size: number;
  /** Milliseconds after which a replica that does not respond counts as gone; the primary serves reads that would wait longer. */
  readonly timeoutMs: number;
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
         pg_postmaster_start_time()::text as started,
         (select system_identifier::text from pg_control_system()) as system,
         greatest((select timeline_id from pg_control_checkpoint()),
                  (select min_recovery_end_timeline from pg_control_recovery())) as timeline`;

/** Milliseconds within which the position that a replica has reached since its last check counts as current. */
const CURRENT_MS = 20;

/**
 * One replica: its pools, and what the last check has found. Positions only increase while one database connection lives: when
 * it breaks, they are forgotten, since a replica that starts again may be behind what it had replayed.
 */
export class Replica {
  readonly number: number;
  readonly pools: ReadPools;
  readonly tenantsOf: (owner: string) => OwnerClients;
  readonly queriesOf: (owner: string) => OwnerClients;
  /** Reads that it has served. */
  reads = 0;
  #replayed: WalPosition | undefined;
  #problem: Problem | undefined = { kind: 'it has not been checked yet' };
  /** When the server of the last check was started, by its own clock: together with its address, what identifies it. */
  #started: string | undefined;
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
      ...{ size: limits.size, connectTimeoutMs: limits.timeoutMs, onError },
      onConnect: (client) => this.#verify(client),
    });
    this.tenantsOf = fairClients(this.pools.tenants, limits.tenants);
    this.queriesOf = fairClients(this.pools.queries, limits.queries);
    this.#client = new ReplicaClient(url, limits.timeoutMs, (error) => this.takeOut(unreachable(error)));
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
    const { kind, detail } = this.#problem ?? {};
    return detail === undefined ? kind : `${kind}: ${detail}`;
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
  takeOut(problem: Problem): void {
    this.#replayed = undefined;
    this.#setProblem(problem);
    // Closing a client that is in use breaks its connection, so that its statement fails.
    for (const client of this.#busy) (client as pg.Client).end().catch(() => {});
  }

  /** A read has failed on it. */
  failed({ cause }: ServerFailure): void {
    if (cause instanceof ReplicaReplaced) this.takeOut({ kind: cause.message });
    else if (isUnreachable(cause) && !isPoolBusy(cause)) this.takeOut(unreachable(cause));
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
      this.#started = String(found.started);
      this.#checkedAt = performance.now();
      this.#setProblem(this.#problemOf(found, replayed));
    } catch (error) {
      this.takeOut(unreachable(error instanceof Error ? error : new Error(String(error))));
      throw error;
    }
  }

  #problemOf(found: Readonly<Record<string, unknown>>, replayed: WalPosition | undefined): Problem | undefined {
    const { identity, failure } = this.#primary;
    if (identity === undefined) return { kind: 'the primary has not been read yet', detail: failure?.message };
    if (found.system !== identity.system) return { kind: 'it belongs to another database system than the primary' };
    if (found.standby !== true || replayed === undefined) return { kind: 'it is not a replica, or was promoted' };
    if (found.timeline !== identity.timeline) return { kind: 'it does not follow the timeline of the primary' };
    return replayed < this.#primary.required() ? { kind: 'it lags behind the primary' } : undefined;
  }

  /** One outage has many failures with different details; only the first one is reported. */
  #setProblem(problem: Problem | undefined): void {
    const isSame = problem?.kind === this.#problem?.kind;
    this.#problem = problem;
    if (!isSame && !this.#isClosed) this.#onState({ number: this.number, problem: this.problem });
  }

  /** A new database connection may lead to a server that was started or replaced since the last check. */
  async #verify(client: pg.ClientBase): Promise<void> {
    const known = this.replayed;
    const found = await this.#whileBusy(client, () =>
      client.query(
        `select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed,
                pg_postmaster_start_time()::text as started`,
      ),
    );
    const [{ standby, replayed, started }] = found.rows;
    const isKnown = known !== '' && started === this.#started;
    if (standby && replayed !== null && isKnown && walPosition(replayed) >= known) return;
    const cause = new ReplicaReplaced('it was restarted, or its address leads to a different server');
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The replica was replaced.', { cause });
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

/** Why a replica is not used. */
interface Problem {
  readonly kind: string;
  readonly detail?: string | undefined;
}

function unreachable({ message }: Error): Problem {
  return { kind: 'it cannot be reached', detail: message };
}
