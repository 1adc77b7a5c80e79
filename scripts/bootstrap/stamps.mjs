import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './run.mjs';
import { nodeVersion } from './tools.mjs';

const RENEW_EVERY_MS = 1_000;
const ABANDONED_AFTER_MS = 15_000;

/**
 * Runs `make` unless its outputs exist and its inputs are those of the last run that succeeded. Commands that run at the
 * same time wait for each other.
 */
export async function whenChanged(stamp, inputs, outputs, make) {
  if (!isDue(stamp, inputs, outputs)) return;
  const unlock = await lock(stamp);
  try {
    if (!isDue(stamp, inputs, outputs)) return;
    const digest = digestOf(inputs);
    await make();
    writeFileSync(stampFile(stamp), digest);
  } finally {
    unlock();
  }
}

/**
 * Takes the lock of a stamp: a file with the id of its process, which renews its time until it releases it. The id alone
 * would not do: after a kill, or in another container, it may be that of an unrelated process.
 */
async function lock(stamp) {
  const file = join(root, 'node_modules', `.${stamp}-lock`);
  mkdirSync(dirname(file), { recursive: true });
  while (!create(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await pause(200);
  }
  const release = () => rmSync(file, { force: true });
  const renewing = setInterval(() => renew(file), RENEW_EVERY_MS).unref();
  // A step that fails ends the process.
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
  // Gone when the installation that it guards cleared the folder.
  if (existsSync(file)) utimesSync(file, now, now);
}

/** Whether the process of a lock file was killed. */
function isAbandoned(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return Date.now() - stat.mtimeMs > ABANDONED_AFTER_MS || !isAlive(Number(readFileSync(file, 'utf8')));
}

function isAlive(pid) {
  try {
    // 0 is a file whose process has not written its id yet.
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether `whenChanged` would run something. */
export function isDue(stamp, inputs, outputs) {
  const file = stampFile(stamp);
  const made = outputs.every((output) => existsSync(join(root, output)));
  return !made || !existsSync(file) || readFileSync(file, 'utf8') !== digestOf(inputs);
}

function stampFile(stamp) {
  return join(root, 'node_modules', `.${stamp}-stamp`);
}

/** Digest of files and folders, and of the version of Node that made the outputs. */
function digestOf(inputs) {
  const hash = createHash('sha256').update(`v${nodeVersion}`);
  for (const input of inputs) addToHash(hash, input);
  return hash.digest('hex');
}

/** What is made among the inputs is an output. */
const OUTPUTS = new Set(['generated', '.types']);

function addToHash(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const entry of readdirSync(full).sort()) if (!OUTPUTS.has(entry)) addToHash(hash, join(path, entry));
    return;
  }
  hash.update(path).update('\0').update(readFileSync(full)).update('\0');
}
