import { afterAll } from 'vitest';
import type { Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import { platformOf } from '../src/platforms.ts';
import { RestConnection } from './rest-connection.ts';

/** What `test-systems/request-tracker/start.ts` provides to tests. */
export interface RunningTracker {
  readonly url: string;
  readonly token: string;
  /** Calls Request Tracker without the driver. */
  readonly api: {
    call(method: string, path: string, body?: Row): Promise<unknown>;
    one(path: string): Promise<Row>;
    create(path: string, values: Row): Promise<string>;
    change(path: string, values: Row): Promise<void>;
    texts(ticket: string): Promise<unknown[]>;
    tickets(query: string): Promise<string[]>;
  };
  readonly plant: {
    readonly queue: string;
    readonly asset: string;
    readonly orders: readonly string[];
    readonly request: string;
  };
  stop(): Promise<void>;
}

/** Connects to a running Request Tracker with the platform as it is shipped. */
export function trackerConnection(
  { url, token }: Pick<RunningTracker, 'url' | 'token'>,
  options: Readonly<Record<string, Json>> = {},
): RestConnection {
  return new RestConnection(platformOf('request-tracker'), { url, token }, options);
}

/** Starts a Request Tracker for the tests of a file and connects to it; both end after them. */
export async function trackerOfFile(): Promise<{ tracker: RunningTracker; connection: RestConnection }> {
  // The module is outside this package, so the compiler must not see the path.
  const path = new URL('../../../test-systems/request-tracker/start.ts', import.meta.url).href;
  const module: { startTracker(): Promise<RunningTracker> } = await import(path);
  const tracker = await module.startTracker();
  const connection = trackerConnection(tracker);
  afterAll(async () => {
    await connection.driver.close();
    await tracker.stop();
  });
  return { tracker, connection };
}
