import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { until } from '../../store/src/embedded/until.ts';

/** nginx in front of several servers, configured as docs/growing.md describes. */
export interface LoadBalancer {
  /** Address of the API without `/v4`. */
  readonly baseUrl: string;
  /**
   * Sends requests only to the servers at these ports; resolves when no request to the others is open, and new requests are sent
   * to all of these.
   */
  use(ports: readonly number[]): Promise<void>;
  /** What nginx has logged as an error. */
  errors(): Promise<string>;
  stop(): Promise<void>;
}

/** Seconds; a write that nginx passes on takes up to 30. */
const PATIENCE = 120;

/**
 * Seconds after which nginx closes what an earlier configuration has left open, such as streams of changes. On a busy machine, a
 * list can take several.
 */
const SHUTDOWN = 10;

/** Processes of nginx that serve requests. */
const WORKERS = 2;

const NGINX = fileURLToPath(new URL('../../../.tools/nginx', import.meta.url));

/** Starts nginx (`test-systems/nginx/install.sh`) in front of the servers at these ports. */
export async function startLoadBalancer(ports: readonly number[]): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-nginx-'));
  const port = await freePort();
  const configure = (used: readonly number[]) =>
    writeFile(join(folder, 'nginx.conf'), configuration(port, ports, used));
  await configure(ports);
  const options = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'];
  const nginx = spawn(NGINX, options, { stdio: 'ignore' });
  const end = () => void nginx.kill('SIGTERM');
  process.once('exit', end);
  const gone = once(nginx, 'exit').finally(() => process.off('exit', end));
  const pid = nginx.pid ?? expect.fail('nginx did not start');
  const workers = async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
  const baseUrl = `http://127.0.0.1:${port}`;
  const serves = () =>
    fetch(`${baseUrl}/v4/system/health`).then(
      ({ ok }) => ok || null,
      () => null,
    );
  await until(serves, PATIENCE, 'nginx did not start in time.');
  return {
    baseUrl,
    async use(used) {
      const before = new Set(await workers());
      await configure(used);
      nginx.kill('SIGHUP');
      // Workers with the earlier configuration end when their last request has. They may serve all servers that it named.
      const isApplied = async () => {
        const running = await workers();
        const added = running.filter((worker) => !before.has(worker)).length;
        return (added >= WORKERS && (used.length === ports.length || added === running.length)) || null;
      };
      await until(isApplied, PATIENCE, 'nginx has not applied its configuration in time.');
    },
    errors: () => readFile(join(folder, 'error.log'), 'utf8'),
    async stop() {
      end();
      await gone;
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(port: number, all: readonly number[], used: readonly number[]): string {
  const servers = all.map((each) => `server 127.0.0.1:${each}${used.includes(each) ? '' : ' down'};`);
  return `
    daemon off; worker_processes ${WORKERS}; worker_shutdown_timeout ${SHUTDOWN}s; pid nginx.pid;
    events { worker_connections 512; }
    http {
      access_log off; error_log error.log error;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
      upstream unified { ${servers.join(' ')} keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 51m;
        location / {
          proxy_pass http://unified;
          proxy_http_version 1.1;
          proxy_set_header Host $host;
          proxy_set_header Connection "";
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_request_buffering off;
          proxy_read_timeout 65s;
        }
      }
    }`;
}
