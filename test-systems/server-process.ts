import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** A running server. */
export interface Server {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly pid: number;
  /** Stops the process and waits until it has exited. */
  stop(): Promise<void>;
}

/** How a server is started, and when it is ready. */
export interface ServerCommand extends Pick<SpawnOptions, 'cwd' | 'env'> {
  /** For messages: `Redmine`. */
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  /** Returns the address of the server as soon as it is ready, from its output so far. It is called until it returns one. */
  ready(output: string): string | undefined | Promise<string | undefined>;
}

/** Maximum number of characters of output that are kept for messages. */
const MOST_OUTPUT = 100_000;
/** After these times, a server that does not become ready, or does not stop, is killed. */
const START_MS = 600_000;
const STOP_MS = 5_000;

/**
 * Starts a server and waits until it is ready. It is killed when this process exits.
 *
 * @throws {Error} with the output of the server, if it exits or is not ready after ten minutes
 */
export async function startServer(command: ServerCommand): Promise<Server> {
  const { cwd, env } = command;
  const child = spawn(command.command, command.arguments, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(kill, STOP_MS);
    await gone;
    clearTimeout(late);
  };
  try {
    return { url: await addressOf(child, command), pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(child: ChildProcess, { name, ready }: ServerCommand): Promise<string> {
  let output = '';
  let failure: Error | undefined;
  // Reads to the end, because a full pipe would block the server.
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(0, MOST_OUTPUT);
    });
  }
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (code) => {
    failure = new Error(`${name} exited with code ${code}:\n${output}`);
  });
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await pause(50)) {
    if (failure) throw failure;
    const url = await ready(output);
    if (url) return url;
  }
  throw new Error(`${name} was not ready after ${START_MS / 1000} seconds:\n${output}`);
}
