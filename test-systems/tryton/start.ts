import { temporaryFolder } from '../temporary-folder.ts';
import { access } from './database.ts';
import { provideDatabase } from './provide-database.ts';
import { Rpc } from './rpc.ts';
import { type SeriesName, seriesOf } from './series.ts';
import { serve } from './server.ts';
import { exists, type StorageName, storageOf } from './storage.ts';

/** A running Tryton, and how to connect to it. */
export interface RunningTryton {
  readonly series: SeriesName;
  readonly storage: StorageName;
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
 * the cached one. `series` and `storage` default to those of the environment (`TRYTON_SERIES`, `TRYTON_DATABASE`), or 6.0 with
 * SQLite.
 *
 * @throws {Error} when Tryton is not installed (`install.sh`, `install-8.2.sh`)
 */
export async function startTryton(
  options: { series?: string; storage?: string; dir?: string; fresh?: boolean; port?: number } = {},
): Promise<RunningTryton> {
  const kind = { series: seriesOf(options.series), storage: storageOf(options.storage) };
  const { series, storage } = kind;
  await using started = new AsyncDisposableStack();
  const dir = options.dir ?? (await temporaryFolder('tryton-', started));
  const fresh = options.fresh ?? false;
  if (fresh || !(await exists(storage.pathIn(dir)))) await provideDatabase(kind, dir, { fresh });
  const { url, pid, stop } = await serve(kind, dir, access.database, options.port);
  started.defer(stop);
  const rpc = new Rpc(`${url}/${access.database}/${series.calls}`);
  await rpc.login(access.user, access.password);
  const running = started.move();
  return { ...access, series: series.name, storage: storage.name, url, rpc, pid, stop: () => running.disposeAsync() };
}
