import { temporaryFolder } from '../temporary-folder.ts';
import { TrackerApi } from './api.ts';
import { type Plant, seed } from './seed.ts';
import { serve } from './server.ts';

/** A running Request Tracker, and how to connect to it. */
export interface RunningTracker {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  /** Token of the user `root`, who has all rights. */
  readonly token: string;
  readonly api: TrackerApi;
  /** Content of the database. */
  readonly plant: Plant;
  /** Stops the server; removes its directory unless the caller named one. */
  stop(): Promise<void>;
}

/**
 * Starts a real Request Tracker with a new database and a seeded plant, on a free port by default.
 *
 * @throws {Error} when Request Tracker is not installed (`install.sh`)
 */
export async function startTracker(options: { dir?: string; port?: number } = {}): Promise<RunningTracker> {
  await using started = new AsyncDisposableStack();
  const dir = options.dir ?? (await temporaryFolder('tracker-', started));
  const { url, token, stop } = await serve(dir, options.port);
  started.defer(stop);
  const api = new TrackerApi(url, token);
  const plant = await seed(api);
  const running = started.move();
  return { url, token, api, plant, stop: () => running.disposeAsync() };
}
