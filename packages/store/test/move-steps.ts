import { type DatabaseProxy, type ProxiedSession, startDatabaseProxy } from './database-proxy.ts';

/** A command that the coordinator is about to send to a server, as part of the transaction of a move. */
export interface MoveStep {
  /** Its first words: `create table`. */
  readonly kind: string;
  /** The server that receives it, or `localhost` for the coordinator itself: `127.0.0.1:5432`. */
  readonly server: string;
  /** Its place among the different commands of its kind, from 0. */
  readonly index: number;
}

/** A database in front of which the steps of one move are watched. */
export interface WatchedMove extends Pick<DatabaseProxy, 'stop'> {
  /** For the process that moves a connection. */
  readonly url: string;
}

/** Citus reports all commands that it sends as notices. */
const REPORTING = '-c citus.log_remote_commands=on';

/**
 * Watches a move that a process makes through the URL. `onStep` is called with each step, which the process does not see until it
 * is resolved. A repeated command is a step once: Citus repeats some until a server has caught up.
 */
export async function watchMove(
  databaseUrl: string,
  onStep: (step: MoveStep, session: ProxiedSession) => Promise<void> | void,
): Promise<WatchedMove> {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  let mover: ProxiedSession | undefined;
  const proxy = await startDatabaseProxy(databaseUrl, {
    onStatement(session, sql) {
      if (/^select citus_(split_shard|move_shard)/.test(sql)) mover = session;
    },
    onNotice(session, notice) {
      const [, command, server] = /^issuing (.*)\non server \S*@(\S+) connectionId/s.exec(notice) ?? [];
      if (session !== mover || command === undefined || server === undefined) return undefined;
      if (seen.has(`${server} ${command}`)) return undefined;
      seen.add(`${server} ${command}`);
      const kind = kindOf(command);
      const index = counts.get(kind) ?? 0;
      counts.set(kind, index + 1);
      return onStep({ kind, server, index }, session);
    },
  });
  const url = new URL(proxy.url);
  url.searchParams.set('options', REPORTING);
  return { url: url.href, stop: proxy.stop };
}

/** Names and numbers differ between moves. */
function kindOf(command: string): string {
  return command
    .toLowerCase()
    .split(/[\s(]+/)
    .slice(0, 2)
    .join(' ')
    .replace(/[^a-z_. ]+.*$/, '')
    .trim();
}
