import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './run.mjs';

const RENEW_EVERY_MS = 1_000;
const ABANDONED_AFTER_MS = 15_000;

/** Runs `work` while no other command of this checkout runs work with the same name. */
export async function withLock(name, work) {
  const unlock = await lock(join(root, 'node_modules', `.${name}-lock`));
  try {
    return await work();
  } finally {
    unlock();
  }
}

/**
 * Takes a lock: a file that contains the id of the process, which updates the file's modification time until it releases the
 * lock. The id alone is not enough: after a kill, or in another container, it may belong to an unrelated process.
 */
async function lock(file) {
  mkdirSync(dirname(file), { recursive: true });
  while (!create(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await pause(200);
  }
  const release = () => rmSync(file, { force: true });
  const renewing = setInterval(() => renew(file), RENEW_EVERY_MS).unref();
  // A failed step exits the process.
  process.once('exit', release);
  return () => {
    clearInterval(renewing);
    process.off('exit', release);
    release();
  };
}

function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function renew(file) {
  const now = new Date();
  // The installation that the lock guards may have cleared the folder.
  if (existsSync(file)) utimesSync(file, now, now);
}

/** Whether the process of a lock file was killed. */
function isAbandoned(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return Date.now() - stat.mtimeMs > ABANDONED_AFTER_MS || !isAlive(file);
}

/** Also true for a lock that was released in the meantime, or whose process has not written its id yet. */
function isAlive(file) {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
