import { readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `postmaster.pid` contains about a server. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

const fileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/** Reads `postmaster.pid` of a cluster; null if there is none, or it is incomplete. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(fileOf(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [pid, , , port, , , , state] = text.split('\n');
  return pid && port ? { pid: Number(pid), port: Number(port), ready: state?.trim() === 'ready' } : null;
}

/** No process has this id. */
const NO_PROCESS = 2 ** 30;

/**
 * Allows a server to start although the process named in `postmaster.pid` exists, because it is another program or a zombie.
 * The file itself must stay: PostgreSQL uses it to detect what the helper processes of a killed server still use.
 */
export async function disownPostmaster(cluster: string): Promise<void> {
  const [pid, ...rest] = (await readFile(fileOf(cluster), 'utf8')).split('\n');
  if (!exists(Number(pid))) return;
  const draft = `${fileOf(cluster)}.new`;
  await writeFile(draft, [NO_PROCESS, ...rest].join('\n'), { mode: 0o644 });
  await rename(draft, fileOf(cluster));
}

/**
 * Identifies a running process. Null once it has ended; a later process with the same id has a different identity. Without
 * /proc, only the id is used.
 */
export function identityOf(pid: number): string | null {
  if (!exists(pid)) return null;
  const stat = statOf(pid);
  if (stat === null) return String(pid);
  // The name of the program comes first, in parentheses, and may contain anything. State is field 3, start time 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z' || fields[0] === 'X';
  return isZombie ? null : `${pid}, started ${fields[19]}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
}
