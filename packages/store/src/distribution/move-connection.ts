import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { internalsOf, type Store } from '../access/store.ts';
import { withConnection } from '../sql/own-connection.ts';
import { MIGRATING, takeSessionLock } from '../sql/session-lock.ts';
import { ClusterRefusal } from './cluster.ts';
import type { OpenSession } from './commit-move.ts';
import { placeOf, requireDistributed } from './connection-place.ts';
import { type Leftover, removeLeftovers } from './leftovers.ts';
import { lockMoves } from './move-lock.ts';
import { MOVER_SESSION } from './mover-session.ts';
import { nodeNamed, nodesOf } from './nodes.ts';
import { bytesOf, shardsWithin } from './shard-copies.ts';
import type { Transfer } from './transfer.ts';
import { sessionRefusal } from './transfer-refusal.ts';
import { checkTransfer, transferShard } from './transfer-shard.ts';
import { measurePause, type WritePause } from './write-pause.ts';

export interface MoveOptions {
  readonly connectionId: string;
  /** Name of the worker: `10.0.0.2:5432`. */
  readonly to: string;
  /** Whether writes wait while all rows are copied. By default, only while the last changes are. */
  readonly blockWrites: boolean;
  /** Called with each step, and about once a second with the bytes that were copied, of those to copy. */
  readonly onStep: (text: string) => void;
  readonly onCopied: (bytes: number, all: number) => void;
}

/** What a move did. */
export interface ConnectionMove {
  readonly connectionId: string;
  readonly from: string;
  readonly to: string;
  /** False if the connection was there already. */
  readonly isMoved: boolean;
  /** Other connections of the shard, whose writes waited as well. */
  readonly neighbors: number;
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Null if nothing was moved. */
  readonly pause: WritePause | null;
  /** What Citus could not remove. */
  readonly leftovers: readonly Leftover[];
}

/**
 * Moves the rows of a connection to another worker of the Citus cluster while they are used. An interrupted move has changed
 * nothing or is complete; the next one removes what it left. Throws `ClusterRefusal`.
 */
export function moveConnection(store: Store, options: MoveOptions): Promise<ConnectionMove> {
  const { databaseUrl } = internalsOf(store);
  const openSession: OpenSession = (work) => withConnection(databaseUrl, work, { name: 'unified move' });
  return openSession((mover) =>
    openSession((observer) => openSession((writer) => move({ mover, observer, writer, openSession }, options))),
  ).catch((error: unknown) => {
    // What fails after the commit is refused with its own message.
    throw sessionRefusal(error);
  });
}

interface Sessions {
  /** Has the locks, and runs the transaction of the move. */
  readonly mover: pg.Client;
  readonly observer: pg.Client;
  /** Measures how long writes wait. */
  readonly writer: pg.Client;
  readonly openSession: OpenSession;
}

async function move(sessions: Sessions, options: MoveOptions): Promise<ConnectionMove> {
  const { mover, observer } = sessions;
  await requireDistributed(mover);
  const to = nodeNamed(await nodesOf(mover), options.to);
  await prepareMover(mover);
  options.onStep('removing what an interrupted move has left');
  const found = await removeLeftovers(observer);
  const place = await placeOf(mover, options.connectionId);
  const outcome = {
    connectionId: options.connectionId,
    from: place.node.name,
    to: to.name,
    neighbors: place.neighbors,
  };
  if (place.node.id === to.id)
    return { ...outcome, isMoved: false, rows: 0, bytes: 0, seconds: 0, pause: null, leftovers: found };
  const transfer: Transfer = { connectionId: options.connectionId, place, to, blockWrites: options.blockWrites };
  await checkTransfer(observer, transfer);
  const began = performance.now();
  const { rows, bytes, pause } = await copy(sessions, transfer, options);
  const seconds = (performance.now() - began) / 1000;
  options.onStep(`removing the copy on ${place.node.name}, when no transaction reads it`);
  return { ...outcome, isMoved: true, rows, bytes, seconds, pause, leftovers: await removeCopy(sessions, transfer) };
}

/** Acquires the locks of a move; they end with the database session. Updates of the service wait until the move ends. */
async function prepareMover(mover: pg.Client): Promise<void> {
  await mover.query(MOVER_SESSION);
  await lockMoves(mover);
  await takeSessionLock(mover, MIGRATING, 'shared');
}

async function copy({ mover, observer, writer, openSession }: Sessions, transfer: Transfer, options: MoveOptions) {
  const { place } = transfer;
  const shards = await shardsWithin(mover, place);
  const bytes = await bytesOf(observer, shards);
  options.onStep(
    `copying ${shards.length} tables from ${place.node.name}, with ${place.neighbors} other connections in their shards`,
  );
  const transferring = transferShard(mover, transfer, openSession);
  const measuring = measurePause(writer, options.connectionId, transferring);
  // What is shown does not decide about the move.
  const showing = showCopied(observer, transferring, (copied) => options.onCopied(copied, bytes)).catch(() => {});
  const [rows, measured] = await Promise.all([transferring, measuring, showing]);
  return { rows, bytes, pause: measured };
}

/** Citus lists the shards that it creates, to remove them if the move fails. */
async function showCopied(observer: pg.Client, ended: Promise<unknown>, show: (bytes: number) => void): Promise<void> {
  const end = ended.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([end, pause(1_000, false)]))) {
    const { rows } = await observer.query(
      `select object_name as table, object_name as sql, nodeid as id, format('%s:%s', nodename, nodeport) as name,
              nodename as host, nodeport as port
         from pg_dist_cleanup join pg_dist_node on groupid = node_group_id
        where object_type = 1 and policy_type = 1 and noderole = 'primary'`,
    );
    show(
      await bytesOf(
        observer,
        rows.map(({ table, sql, ...node }) => ({ table, sql, node })),
      ).catch(() => 0),
    );
  }
}

/** Removes the previous shards, in a session of its own because the others may have ended with a restart of the coordinator. */
function removeCopy({ openSession }: Sessions, { place, to }: Transfer): Promise<Leftover[]> {
  const remove = async (client: pg.Client) => {
    await awaitEarlier(client);
    return removeLeftovers(client);
  };
  return openSession(remove).catch((error: unknown) => {
    throw new ClusterRefusal(
      `The connection was moved to ${to.name}. Its copy on ${place.node.name} was not removed: ${error instanceof Error ? error.message : error}`,
      'Repeat the command: it removes what is left.',
      { cause: error },
    );
  });
}

/** Waits for transactions that may still read the previous shards, up to a minute. Citus then removes them later. */
async function awaitEarlier(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
  for (const until = performance.now() + 60_000; performance.now() < until; await pause(100)) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and xact_start < $1::timestamptz
          and pid <> pg_backend_pid()`,
      [rows[0]?.now],
    );
    if (rowCount === 0) return;
  }
}
