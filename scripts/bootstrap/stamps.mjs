import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root } from './run.mjs';
import { nodeVersion } from './tools.mjs';

/**
 * Runs `make` unless its outputs exist and its inputs have not changed since the last successful run. Concurrent commands wait
 * for each other.
 */
export async function whenChanged(stamp, inputs, outputs, make) {
  if (!isDue(stamp, inputs, outputs)) return;
  await withLock(stamp, async () => {
    if (!isDue(stamp, inputs, outputs)) return;
    const digest = digestOf(inputs);
    await make();
    writeFileSync(stampFile(stamp), digest);
  });
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

/** Digest of files and folders, and of the version of Node that created the outputs. */
function digestOf(inputs) {
  const hash = createHash('sha256').update(`v${nodeVersion}`);
  for (const input of inputs) addToHash(hash, input);
  return hash.digest('hex');
}

/** Files that are created within the inputs are outputs. */
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
