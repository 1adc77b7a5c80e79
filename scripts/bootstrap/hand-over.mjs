import { spawn } from 'node:child_process';
import { isWindows, root } from './run.mjs';

const parent = process.ppid;

/**
 * Runs the programs of a command in sequence, and calls `onStart` whenever one has started. Signals are forwarded to each; the
 * first one that fails ends this process with its exit code.
 */
export async function handOver(programs, env, onStart = () => {}) {
  for (const [program, args] of programs) {
    const code = await exitCode(program, args, env, onStart);
    if (code !== 0) process.exit(code);
  }
}

function exitCode(program, args, env, onStart) {
  const flags = program === 'node' ? ['--disable-warning=ExperimentalWarning'] : [];
  const child = spawn(program, [...flags, ...args], { cwd: root, env, stdio: 'inherit', shell: isWindows });
  return new Promise((resolve) => {
    child.on('exit', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 1)));
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(1);
    });
    onStart();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    whenNpmEnds(() => child.kill('SIGTERM'));
  });
}

/**
 * A signal to npm alone ends npm and its shell, which does not pass it on: the programs that they started would never
 * exit.
 */
function whenNpmEnds(stop) {
  if (process.env.npm_lifecycle_event === undefined || isWindows) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500).unref();
}
