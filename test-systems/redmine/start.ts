import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** What is in it. */
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
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'redmine-')));
  const key = randomBytes(20).toString('hex');
  const server = await serve(dir, key, options.port);
  const stop = async () => {
    await server.stop();
    if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
  };
  const api = new RedmineApi(server.url, key);
  try {
    return { url: server.url, key, api, plant: await seed(api), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
