import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import { loadPlatform } from '../src/load-platform.ts';
import type { Platform } from '../src/platform.ts';
import { RestConnection } from './rest-connection.ts';

/** What `test-systems/redmine/start.ts` provides to tests. */
export interface RunningRedmine {
  readonly url: string;
  readonly key: string;
  /** Calls Redmine without the driver. */
  readonly api: {
    call(method: string, path: string, body?: Row | string): Promise<Row>;
    one(name: string, path: string): Promise<Row>;
    create(name: string, path: string, values: Row): Promise<Row>;
    change(name: string, path: string, values: Row): Promise<void>;
    issueIds(): Promise<number[]>;
  };
  readonly plant: {
    readonly project: number;
    readonly users: Readonly<Record<'erika' | 'max', number>>;
    readonly developerKey: string;
    readonly issues: readonly number[];
  };
  stop(): Promise<void>;
}

/** Starts a Redmine for the tests of a file and connects to it; both end after them. */
export async function redmineOfFile(): Promise<{ redmine: RunningRedmine; connection: RedmineConnection }> {
  // The module is outside this package, so the compiler must not see the path.
  const path = new URL('../../../test-systems/redmine/start.ts', import.meta.url).href;
  const module: { startRedmine(): Promise<RunningRedmine> } = await import(path);
  const redmine = await module.startRedmine();
  const connection = new RedmineConnection(redmine);
  afterAll(async () => {
    await connection.driver.close();
    await redmine.stop();
  });
  return { redmine, connection };
}

/** The platform as it is shipped. */
export function redminePlatform(): Platform {
  return loadPlatform(fileURLToPath(new URL('../platforms/redmine', import.meta.url)));
}

/** A connection to the running Redmine. */
export class RedmineConnection extends RestConnection {
  constructor({ url, key }: Pick<RunningRedmine, 'url' | 'key'>, options: Readonly<Record<string, Json>> = {}) {
    super(redminePlatform(), { url, token: key }, options);
  }
}
