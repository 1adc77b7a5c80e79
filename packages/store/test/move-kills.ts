import { expect } from 'vitest';
import { withConnection } from '../src/sql/own-connection.ts';
import { type MoveStep, watchMove } from './move-steps.ts';
import type { MovingProcess } from './moves.ts';
import { end, type OwnCluster, type OwnServer } from './own-cluster.ts';

/** A move that is being made. */
interface Moving {
  readonly cluster: OwnCluster;
  readonly step: MoveStep;
  /** Process id of the backend that has its transaction. */
  readonly backend: number;
  readonly command: MovingProcess;
}

/** Something that is killed with SIGKILL during a move. */
export interface Kill {
  readonly name: string;
  /** Returns the server that does not start again on its own. */
  kill(moving: Moving): Promise<OwnServer | null> | null;
}

/** The worker that receives a command; the first one if it is for the coordinator. */
function workerOf({ cluster, step }: Moving): OwnServer {
  const { workers } = cluster;
  return workers.find(({ name }) => name === step.server) ?? workers[0] ?? expect.fail('there is no worker');
}

/** First the processes that carry out commands, send changes or apply them. */
const PROCESSES = `select pid from pg_stat_activity where pid <> pg_backend_pid()
  order by application_name like 'citus_internal%' and state = 'active' desc, application_name like 'citus_internal%' desc,
           backend_type in ('walsender', 'logical replication worker') desc, random() limit 1`;

/** A server of which one process was killed restarts all of its others. */
export const kills: readonly Kill[] = [
  {
    name: 'the command',
    kill({ command }) {
      command.kill('SIGKILL');
      return null;
    },
  },
  {
    name: 'its process on the coordinator',
    kill({ backend }) {
      end(backend);
      return null;
    },
  },
  {
    name: 'a process of a worker',
    async kill(moving) {
      const { rows } = await withConnection(workerOf(moving).url, (client) => client.query<{ pid: number }>(PROCESSES));
      end(rows[0]?.pid ?? expect.fail('the worker has no process'));
      return null;
    },
  },
  {
    name: 'the coordinator',
    async kill({ cluster: { coordinator } }) {
      await coordinator.kill();
      return coordinator;
    },
  },
  {
    name: 'a worker',
    async kill(moving) {
      const worker = workerOf(moving);
      await worker.kill();
      return worker;
    },
  },
];

/** A command of a move: its place among those of its kind. */
export type Point = Pick<MoveStep, 'kind' | 'index'>;

export interface KilledMove {
  readonly databaseUrl: string;
  readonly cluster: OwnCluster;
  readonly point: Point;
  readonly victim: Kill;
  /** Starts the move through this URL. */
  readonly start: (url: string) => MovingProcess;
}

/**
 * Makes a move, and kills something just before the command at this point is sent: the moving process sees nothing later before
 * it is killed. Resolves when the process has ended and all servers run; `hit` names the command, if it was reached.
 */
export async function killAt({ databaseUrl, cluster, point, victim, start }: KilledMove) {
  let hit: string | undefined;
  let restarted: Promise<void> | undefined;
  const watched = await watchMove(databaseUrl, async (step, { pid: backend }) => {
    if (hit !== undefined || step.kind !== point.kind || step.index !== point.index) return;
    expect(command.isRunning()).toBe(true);
    const server = await victim.kill({ cluster, step, backend, command });
    hit = `${step.kind} (${step.index + 1}) to ${step.server}`;
    restarted = server?.start();
  });
  const command = start(watched.url);
  const ended = await command.ended;
  await restarted;
  await watched.stop();
  for (const server of [cluster.coordinator, ...cluster.workers]) await server.ready();
  return { ended, hit };
}

/** Makes a complete move. Returns the kinds of its commands, each with their number. */
export async function countSteps({ databaseUrl, start }: Pick<KilledMove, 'databaseUrl' | 'start'>) {
  const counts = new Map<string, number>();
  const watched = await watchMove(databaseUrl, ({ kind, index }) => void counts.set(kind, index + 1));
  expect(await start(watched.url).ended).toMatchObject({ code: 0, stderr: '' });
  await watched.stop();
  return counts;
}

/** Random points: commands of all kinds are chosen before a kind is chosen again. */
export function* pointsOf(steps: ReadonlyMap<string, number>, random: () => number): Generator<Point, never> {
  for (;;)
    for (const [kind, count] of shuffled([...steps], random)) yield { kind, index: Math.floor(random() * count) };
}

/** The values in random order. */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
