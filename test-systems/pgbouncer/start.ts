import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { startServer } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A PgBouncer in session mode, in front of the server of a database. */
export interface PgBouncer extends AsyncDisposable {
  /** The address of the database through PgBouncer, with the same user. */
  readonly url: string;
}

/** The user of the operating system without privileges. */
const UNPRIVILEGED = 'nobody';

/** Starts PgBouncer as docs/growing.md describes; its other settings are the defaults. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  await using starting = new AsyncDisposableStack();
  const folder = await temporaryFolder('unified-pgbouncer-', starting);
  const { hostname, port, username, password } = new URL(databaseUrl);
  const own = await freePort();
  const ini = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'userlist.txt');
  // As root, it switches to another user, who must be able to read its files.
  await chmod(folder, 0o755);
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    ini,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
${process.getuid?.() === 0 ? `user = ${UNPRIVILEGED}` : ''}
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = session
max_client_conn = 200
default_pool_size = 200
`,
  );
  const server = await startServer({
    name: 'PgBouncer',
    command: '/usr/sbin/pgbouncer',
    arguments: [ini],
    ready: (output) => (output.includes('process up') ? `127.0.0.1:${own}` : undefined),
  });
  starting.defer(() => server.stop());
  const url = new URL(databaseUrl);
  url.host = server.url;
  const started = starting.move();
  return { url: url.href, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
