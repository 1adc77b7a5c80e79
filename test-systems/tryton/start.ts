import { temporaryFolder } from '../temporary-folder.ts';
import { access, databaseFile, exists } from './database.ts';
import { provideDatabase } from './provide-database.ts';
import { Rpc } from './rpc.ts';
import { type SeriesName, seriesOf } from './series.ts';
import { serve } from './server.ts';

/** A running Tryton, and how to connect to it. */
export interface RunningTryton {
  readonly series: SeriesName;
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
 * the cached one. `series` defaults to that of the environment (`TRYTON_SERIES`), or 6.0.
 *
 * @throws {Error} when Tryton is not installed (`install.sh`, `install-8.2.sh`)
 */
export async function startTryton(
  options: { series?: string; dir?: string; fresh?: boolean; port?: number } = {},
): Promise<RunningTryton> {
  const series = seriesOf(options.series);
  await using started = new AsyncDisposableStack();
  const dir = options.dir ?? (await temporaryFolder('tryton-', started));
  const fresh = options.fresh ?? false;
  if (fresh || !(await exists(databaseFile(dir)))) await provideDatabase(series, dir, { fresh });
  const { url, pid, stop } = await serve(series, dir, access.database, options.port);
  started.defer(stop);
  const rpc = new Rpc(`${url}/${access.database}/${series.calls}`);
  await rpc.login(access.user, access.password);
  const running = started.move();
  return { ...access, series: series.name, url, rpc, pid, stop: () => running.disposeAsync() };
}
