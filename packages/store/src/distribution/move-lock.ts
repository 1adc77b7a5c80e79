import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ClusterRefusal } from './cluster.ts';

/** Held by a move: no other one starts. */
export const MOVING = 7_246_100_515;

/** A killed move ends within seconds, because its server checks whether the client is still connected. */
const PATIENCE_MS = 20_000;

/** Acquires the lock of moves until the database session ends. Throws `ClusterRefusal` if another move has it. */
export async function lockMoves(client: pg.ClientBase): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await pause(200)) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MOVING]);
    if (rows[0]?.taken) return;
    if (performance.now() > until)
      throw new ClusterRefusal('Another move is under way.', 'Repeat the command when it has ended.');
  }
}
