import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Program of a dependency. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** On Windows, programs are command scripts. */
export const isWindows = process.platform === 'win32';

/**
 * Runs a program. Its output is shown only if it fails, or with `verbose`; on failure, this process prints `advice` and
 * exits.
 */
export async function run(program, args, { env = process.env, advice, verbose = false }) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const failure = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`: ${error.message}`));
    child.on('close', (status) => resolve(status === 0 ? undefined : ''));
  });
  if (failure !== undefined || verbose) process.stderr.write(`\n${Buffer.concat(output)}`);
  if (failure === undefined) return;
  console.error(`\n✗ ${program} ${args[0]} failed${failure}. ${advice}`);
  process.exit(1);
}
