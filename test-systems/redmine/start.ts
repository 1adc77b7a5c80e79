import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '../temporary-folder.ts';
import { RedmineApi } from './api.ts';
import { type Plant, seed } from './seed.ts';
import { serve } from './server.ts';

/** A running Redmine, and how to connect to it. */
export interface RunningRedmine {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  /** API key of the administrator. */
  readonly key: string;
  readonly api: RedmineApi;
  /** Content of the database. */
  readonly plant: Plant;
  /** Stops the server; removes its directory unless the caller named one. */
  stop(): Promise<void>;
}

/**
 * Starts a real Redmine with a new database and a seeded plant, on a free port by default.
 *
 * @throws {Error} when Redmine is not installed (`install.sh`)
 */
export async function startRedmine(options: { dir?: string; port?: number } = {}): Promise<RunningRedmine> {
  await using started = new AsyncDisposableStack();
  const dir = options.dir ?? (await temporaryFolder('redmine-', started));
  const key = randomBytes(20).toString('hex');
  const { url, stop } = await serve(dir, key, options.port);
  started.defer(stop);
  const api = new RedmineApi(url, key);
  const plant = await seed(api);
  const running = started.move();
  return { url, key, api, plant, stop: () => running.disposeAsync() };
}
