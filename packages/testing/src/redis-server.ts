import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '../../store/src/embedded/free-port.ts';

/** A Redis of its own, without files. Debian has it as `redis-server`. */
export interface RedisServer {
  readonly url: string;
  /** Number of keys that it has. */
  keys(): Promise<number>;
  /** Kills it immediately (SIGKILL); resolves when it has exited. */
  kill(): Promise<void>;
  /** Starts it again without keys, at the same address; resolves when it responds. */
  start(): Promise<void>;
  /** Has it respond to nothing until `resume`. */
  hang(): void;
  resume(): void;
}

export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  let server = await launch(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    keys: async () => Number((await command(port, 'DBSIZE')).slice(1)),
    kill: () => server.kill(),
    async start() {
      server = await launch(port);
    },
    hang: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
  };
}

async function launch(port: number) {
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  const end = () => signal('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit').finally(() => process.off('exit', end));
  await ready(child.stdout);
  return {
    signal,
    async kill() {
      end();
      await gone;
    },
  };
}

/** Resolves when Redis accepts connections; rejects if it ends first. What it writes later is read and ignored. */
function ready(output: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines = createInterface(output);
    lines.on('line', (line) => line.includes('Ready to accept connections') && resolve());
    lines.once('close', () => reject(new Error('Redis ended before it accepted connections.')));
  });
}

/** The first line of the response to a command, in the protocol of Redis. */
async function command(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(`${text}\r\n`);
    const [line] = await once(socket, 'data');
    return String(line).trim();
  } finally {
    socket.destroy();
  }
}
