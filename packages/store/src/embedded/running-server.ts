import pg from 'pg';
import { withConnection } from '../sql/own-connection.ts';
import { clusterOf, logOf } from './cluster.ts';
import type { Plan } from './placement.ts';
import { disownPostmaster, identityOf, readPostmaster } from './postmaster.ts';
import { recall, superuserUrl } from './remembered.ts';
import { until } from './until.ts';

/** A running server. */
export interface Running {
  readonly pid: number;
  /** Identity of its process: see `identityOf`. */
  readonly identity: string;
  readonly port: number;
}

/**
 * SQLSTATEs of a server that exists but accepts no connections now: it is starting or stopping, or has reached its connection
 * limit.
 */
const NOT_NOW = ['57P03', '53300'];

/** Seconds within which a server must finish starting or stopping. */
const PATIENCE = 60;

/**
 * Finds the server of a cluster, whichever process started it; null when none runs. In that case `postmaster.pid` no longer
 * prevents a start, even when another program has the process id of the old server.
 */
export async function findRunning({ dataDir, placement }: Plan): Promise<Running | null> {
  const cluster = clusterOf(placement);
  const remembered = await recall(dataDir);
  if (remembered === null) return null;
  const soon = Date.now() + PATIENCE * 500;
  const look = async () => {
    const found = await readPostmaster(cluster);
    if (!found) return { running: null };
    const { pid, port, ready } = found;
    const identity = identityOf(pid);
    const folder = identity && (await dataDirectoryOf(superuserUrl({ ...remembered, port })));
    if (identity && folder === cluster) return { running: { pid, identity, port } };
    const mayFollow = folder === undefined || (identity && folder === null && !ready && Date.now() < soon);
    if (mayFollow) return null;
    await disownPostmaster(cluster);
    return { running: null };
  };
  const late = `The PostgreSQL in ${cluster} has accepted no connection for a minute. Its log is ${logOf(placement)}`;
  return (await until(look, PATIENCE, late)).running;
}

/**
 * Data folder of the server at a URL. Null when no server accepts the connection, undefined when there is a server that does
 * not accept it now.
 */
async function dataDirectoryOf(url: string): Promise<string | null | undefined> {
  try {
    return await withConnection(
      url,
      async (client) => (await client.query('show data_directory')).rows[0].data_directory,
    );
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_NOW.includes(error.code ?? '')) return undefined;
    if (error instanceof Error) return null;
    throw error;
  }
}
