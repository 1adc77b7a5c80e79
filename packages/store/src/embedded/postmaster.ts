import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What `postmaster.pid` says of a server. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads `postmaster.pid` of a cluster; null when there is none, or none yet that is complete. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [pid, , , port, , , , state] = text.split('\n');
  return pid && port ? { pid: Number(pid), port: Number(port), ready: state?.trim() === 'ready' } : null;
}

/** Whether a process of this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Waits until `done` gives true, looking every 10 ms. Throws the message of `late` after `seconds`. */
export async function until(done: () => Promise<boolean>, seconds: number, late: string): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(late);
    await pause(10);
  }
}
