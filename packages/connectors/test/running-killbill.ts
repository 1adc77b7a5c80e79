import { afterAll } from 'vitest';
import type { Row } from '../src/driver.ts';
import { platformOf } from '../src/platforms.ts';
import { RestConnection } from './rest-connection.ts';

/** What `test-systems/killbill/start.ts` provides to tests. */
export interface RunningKillBill {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Calls Kill Bill without the driver. */
  readonly api: {
    send(method: string, path: string, body?: unknown): Promise<Response>;
    one(path: string): Promise<Row>;
    list(path: string): Promise<Row[]>;
    create(path: string, values: unknown): Promise<string>;
    charge(account: string, charges: readonly Row[], isCommitted: boolean): Promise<string>;
  };
  readonly tenant: {
    readonly accounts: readonly string[];
    readonly invoices: Readonly<Record<'open' | 'partlyPaid' | 'paid' | 'draft' | 'voided', string>>;
    readonly payments: readonly string[];
    readonly subscription: string;
  };
  stop(): Promise<void>;
}

type Credentials = Pick<RunningKillBill, 'url' | 'user' | 'password' | 'apiKey' | 'apiSecret'>;

/** Connects to a running Kill Bill with the platform as it is shipped. */
export function killBillConnection({ url, user, password, apiKey, apiSecret }: Credentials): RestConnection {
  return new RestConnection(platformOf('killbill'), { url, user, password, apiKey, apiSecret });
}

/** Starts a Kill Bill for the tests of a file and connects to it; both end after them. */
export async function killBillOfFile(): Promise<{ killBill: RunningKillBill; connection: RestConnection }> {
  // The module is outside this package, so the compiler must not see the path.
  const path = new URL('../../../test-systems/killbill/start.ts', import.meta.url).href;
  const module: { startKillBill(): Promise<RunningKillBill> } = await import(path);
  const killBill = await module.startKillBill();
  const connection = killBillConnection(killBill);
  afterAll(async () => {
    await connection.driver.close();
    await killBill.stop();
  });
  return { killBill, connection };
}
