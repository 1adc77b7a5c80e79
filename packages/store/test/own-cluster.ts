import { type ChildProcess, execFile } from 'node:child_process';
import { access, chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clusterOf, launch, logOf } from '../src/embedded/cluster.ts';
import { freePort } from '../src/embedded/free-port.ts';
import { type Placement, place } from '../src/embedded/placement.ts';
import { identityOf } from '../src/embedded/postmaster.ts';
import { type ServerUser, serverUser } from '../src/embedded/server-user.ts';
import { until } from '../src/embedded/until.ts';
import { withConnection } from '../src/sql/own-connection.ts';

const run = promisify(execFile);

/** A server of a cluster that a test may kill. */
export interface OwnServer {
  /** `127.0.0.1:5432`. */
  readonly name: string;
  /** URL of the database `postgres`, for the superuser. */
  readonly url: string;
  /** Ends all of its processes immediately, as a crash of its machine would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Resolves when it accepts connections. */
  ready(): Promise<void>;
}

/** A Citus cluster with two workers on this machine. */
export interface OwnCluster {
  readonly coordinator: OwnServer;
  readonly workers: readonly OwnServer[];
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Maximum number of seconds to start on a busy machine. */
const PATIENCE = 120;

/** Folder with the programs of a server, or null if they are not on this machine. */
export async function programsOf(url: string): Promise<string | null> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ folder: string }>(`select setting as folder from pg_config where name = 'BINDIR'`),
  );
  const folder = rows[0]?.folder ?? '';
  return access(join(folder, 'initdb')).then(
    () => folder,
    () => null,
  );
}

/** Starts a cluster with the programs in this folder. */
export async function startOwnCluster(programs: string): Promise<OwnCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-cluster-'));
  const servers: OwnServer[] = [];
  for (const name of ['coordinator', 'worker-1', 'worker-2']) servers.push(await createServer(folder, name, programs));
  const [coordinator, ...workers] = servers;
  if (!coordinator) throw new Error('The cluster has no server.');
  await Promise.all(servers.map((server) => server.start()));
  for (const { url } of servers) await withConnection(url, (client) => client.query('create extension citus'));
  await withConnection(coordinator.url, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', addressOf(coordinator));
    for (const worker of workers) await client.query('select citus_add_node($1, $2)', addressOf(worker));
  });
  return {
    ...{ coordinator, workers },
    async remove() {
      for (const server of servers) await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const addressOf = ({ url }: OwnServer) => [new URL(url).hostname, Number(new URL(url).port)];

/** A worker must be able to have a transaction of each session of the coordinator. Prepared transactions are completed sooner. */
const SETTINGS = {
  ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', fsync: 'off' },
  ...{ shared_preload_libraries: 'citus', shared_buffers: '64MB', max_connections: '200' },
  ...{ max_prepared_transactions: '200', wal_level: 'logical', max_replication_slots: '20', max_wal_senders: '20' },
  ...{ max_worker_processes: '40', max_logical_replication_workers: '20', 'citus.recover_2pc_interval': '10s' },
};

/** Recent releases refuse plugins that are not listed. */
const PLUGINS = 'output_plugin_libraries';

async function createServer(folder: string, name: string, programs: string): Promise<OwnServer> {
  const user = await serverUser(null);
  const identity = user ? { uid: user.uid, gid: user.gid, cwd: '/' } : {};
  const binaries = { root: dirname(programs), version: 'citus' };
  const placement = await place(join(folder, name), binaries, user, () => {});
  const files = clusterOf(placement);
  await mkdir(files, { mode: 0o700 });
  if (user) await chown(files, user.uid, user.gid);
  const layout = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(join(programs, 'initdb'), [`--pgdata=${files}`, ...layout], identity);
  const { stdout } = await run(join(programs, 'postgres'), ['--describe-config'], identity);
  const settings = { ...SETTINGS, ...(stdout.includes(PLUGINS) && { [PLUGINS]: 'pgoutput, test_decoding, citus' }) };
  return runningServer(placement, user, { ...settings, port: String(await freePort()) });
}

function runningServer(
  placement: Placement,
  user: ServerUser | null,
  settings: Readonly<Record<string, string>>,
): OwnServer {
  const name = `127.0.0.1:${settings.port}`;
  const url = `postgres://postgres@${name}/postgres`;
  let server: ChildProcess | undefined;
  const isOver = () => server === undefined || server.exitCode !== null || server.signalCode !== null;
  const accepts = () => withConnection(url, async () => true as const).catch(() => null);
  const late = `${name} accepts no connection: see ${logOf(placement)}`;
  process.once('exit', () => void server?.kill('SIGKILL'));
  return {
    ...{ name, url },
    async kill() {
      const { pid } = server ?? {};
      if (pid === undefined || isOver()) return;
      const all = [pid, ...(await childrenOf(pid))];
      for (const each of all) end(each);
      await until(() => all.every((each) => identityOf(each) === null) || null, PATIENCE, `${name} did not end`);
    },
    async start() {
      // Memory of the killed server is released when its last process has ended.
      const begin = async () => {
        if (isOver()) server = await launch(placement, user, settings);
        return accepts();
      };
      await until(begin, PATIENCE, late);
    },
    ready: async () => void (await until(accepts, PATIENCE, late)),
  };
}

/** Kills a process, unless it has ended. */
export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name)).map(Number);
  const parents = await Promise.all(all.map(parentOf));
  return all.filter((_, index) => parents[index] === pid);
}

async function parentOf(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name of the program comes first, in parentheses. State is next, then the parent.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
