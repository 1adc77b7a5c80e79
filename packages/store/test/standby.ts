import { once } from 'node:events';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { backUp } from '../src/embedded/back-up.ts';
import { findBinaries } from '../src/embedded/binaries.ts';
import { clusterOf, launch, logOf } from '../src/embedded/cluster.ts';
import { freePort } from '../src/embedded/free-port.ts';
import { type Placement, place } from '../src/embedded/placement.ts';
import { recall, superuserUrl } from '../src/embedded/remembered.ts';
import { restoreBackup } from '../src/embedded/restore-backup.ts';
import { type ServerUser, serverUser } from '../src/embedded/server-user.ts';
import { until } from '../src/embedded/until.ts';

/** Settings of a primary that can have replicas. */
export const REPLICATED = { wal_level: 'replica', max_wal_senders: '10' };

/** A streaming replica of a prepared server. */
export interface Standby {
  /** URL of a database for the user of the primary's URL. */
  readonly url: string;
  /** Stops replaying, so that it falls behind. Resolves when nothing more will be replayed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
  /** A session of the superuser in the database `unified`. */
  session(): Promise<pg.Client>;
  /** Ends it without waiting for its clients; `SIGQUIT` as a crash would, so that it replays part of the log again. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Maximum number of seconds to start on a busy machine. */
const PATIENCE = 300;

/**
 * Copies a running server and starts the copy as its replica, with these settings.
 */
export async function startStandby(
  primary: { readonly dataDir: string; readonly url: string },
  more: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const backup = `${primary.dataDir}-backup`;
  const dataDir = `${primary.dataDir}-standby`;
  await backUp({ dataDir: primary.dataDir, target: backup });
  await restoreBackup({ from: backup, dataDir });
  await rm(backup, { recursive: true });
  const user = await serverUser(null);
  const placement = await place(dataDir, await findBinaries(), user, () => {});
  const remembered = (await recall(dataDir)) ?? fail('the replica has no password');
  await markAsStandby(placement, user);
  const port = await freePort();
  const own = { ...SETTINGS, ...more, port: String(port), primary_conninfo: conninfo(remembered) };
  const settings = { ...(await settingsOf(superuserUrl(remembered))), ...own };
  const ownUrl = superuserUrl({ ...remembered, port }, 'unified');
  const sessions: pg.Client[] = [];
  let child: Awaited<ReturnType<typeof launch>> | undefined;

  async function start(): Promise<void> {
    const started = await launch(placement, user, settings);
    child = started;
    process.once('exit', kill);
    const late = `The replica did not start: see ${logOf(placement)}`;
    const look = () => (started.exitCode === null && started.signalCode === null ? answers(ownUrl) : fail(late));
    await until(look, PATIENCE, late);
  }
  async function stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const running = child;
    child = undefined;
    process.off('exit', kill);
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.ref();
    running.kill(signal);
    await once(running, 'exit');
  }
  const kill = () => void child?.kill('SIGQUIT');
  const asSuperuser = async (sql: string) => {
    const client = await connected(ownUrl);
    await client.query(sql);
    await client.end();
  };
  await start();
  return {
    url: withPort(primary.url, port),
    ...{ start, stop },
    async pause() {
      await asSuperuser('select pg_wal_replay_pause()');
      const state = `select pg_get_wal_replay_pause_state() = 'paused' as paused`;
      await until(() => holds(ownUrl, state), PATIENCE, 'The replica did not pause.');
    },
    resume: () => asSuperuser('select pg_wal_replay_resume()'),
    promote: () => asSuperuser('select pg_promote()'),
    async session() {
      const client = await connected(ownUrl);
      sessions.push(client);
      return client;
    },
    async remove() {
      for (const client of sessions) await client.end();
      await stop();
      await rm(clusterOf(placement), { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A replica that is started again connects to the primary soon. */
const SETTINGS = { fsync: 'off', wal_retrieve_retry_interval: '100ms' };

/** The settings with which a server was started: those of a replica must allow as much, and make the same plans. */
async function settingsOf(url: string): Promise<Record<string, string>> {
  const client = await connected(url);
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from pg_settings
      where source = 'command line' and name not in ('data_directory', 'port')`,
  );
  await client.end();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

async function markAsStandby(placement: Placement, user: ServerUser | null): Promise<void> {
  const file = join(clusterOf(placement), 'standby.signal');
  await writeFile(file, '', { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
}

function conninfo({ port, password }: { readonly port: number; readonly password: string }): string {
  return `host=127.0.0.1 port=${port} user=postgres password=${password}`;
}

function withPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // A server that is stopped breaks the connection.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function holds(url: string, sql: string): Promise<true | null> {
  const client = await connected(url);
  const { rows } = await client.query(sql);
  await client.end();
  return Object.values(rows[0])[0] === true ? true : null;
}

/** A server that is starting refuses connections. */
function answers(url: string): Promise<true | null> {
  return holds(url, 'select true').catch(() => null);
}

function fail(message: string): never {
  throw new Error(message);
}
