import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** What is in it. */
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
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'tracker-')));
  const server = await serve(dir, options.port);
  const stop = async () => {
    await server.stop();
    if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
  };
  const { url, token } = server;
  const api = new TrackerApi(url, token);
  try {
    return { url, token, api, plant: await seed(api), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
