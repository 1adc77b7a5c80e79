import { temporaryFolder } from '../temporary-folder.ts';
import { access, databaseFile, exists } from './database.ts';
import { provideDatabase } from './provide-database.ts';
import { Rpc } from './rpc.ts';
import { serve } from './server.ts';

/** A running Tryton, and how to connect to it. */
export interface RunningTryton {
  /** Without the name of the database: `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Logged in as administrator, in the context of the seeded company. */
  readonly rpc: Rpc;
  readonly pid: number;
  /** Stops the server; removes its directory unless the caller named one. */
  stop(): Promise<void>;
}

/**
 * Starts a real Tryton with the seeded company, on a free port. Without `dir` it works on a private copy that is
 * removed afterward; with `dir` the database stays there and is reused. `fresh` rebuilds the database instead of using
 * the cached one.
 *
 * @throws {Error} when Tryton is not installed (`install.sh`)
 */
export async function startTryton(
  options: { dir?: string; fresh?: boolean; port?: number } = {},
): Promise<RunningTryton> {
  await using started = new AsyncDisposableStack();
  const dir = options.dir ?? (await temporaryFolder('tryton-', started));
  const fresh = options.fresh ?? false;
  if (fresh || !(await exists(databaseFile(dir)))) await provideDatabase(dir, { fresh });
  const { url, pid, stop } = await serve(dir, access.database, options.port);
  started.defer(stop);
  const rpc = new Rpc(`${url}/${access.database}/`);
  await rpc.login(access.user, access.password);
  const running = started.move();
  return { ...access, url, rpc, pid, stop: () => running.disposeAsync() };
}
