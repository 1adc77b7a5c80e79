import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { connect, database, type TestConnection, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { companySettings } from '../../sandbox/test/company-database.ts';
import { REPLICATED, type Standby, startStandby } from '../../store/test/standby.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

/** Two processes that serve the API and two workers, on one database. */
export interface SeveralProcesses {
  readonly base: TestDatabase;
  readonly apis: readonly [StartedProcess, StartedProcess];
  readonly workers: readonly [StartedProcess, StartedProcess];
  /** Connections of one application to one account of the company. */
  readonly connections: readonly TestConnection[];
  /** Opens a session in the database of the service. */
  readonly service: pg.Client;
  /** Opens a session in the database of the company. */
  companySession(): Promise<pg.Client>;
  /** The read replica of the API processes, if there is one. */
  readonly standby: Standby | undefined;
  stop(): Promise<void>;
}

/** Requests for OAuth tokens per minute and address. */
export const TOKEN_LIMIT = 300;

const CONNECTIONS = 6;

/** Starts the processes as an installation has them, with a read replica if `replicated`. */
export async function startSeveralProcesses({ replicated = false } = {}): Promise<SeveralProcesses> {
  const base = await database(undefined, undefined, syncedCompany, replicated ? REPLICATED : {});
  const { applicationId } = await companyOf(base, base.store);
  const settings = await companySettings(base);
  const connections: TestConnection[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) {
    connections.push(await connect(base.store, { applicationId, platform: 'sandbox', settings }));
  }
  const clients: pg.Client[] = [];
  const opened = async (options: pg.ClientConfig) => {
    const client = new pg.Client(options);
    clients.push(client);
    await client.connect();
    return client;
  };
  const service = await opened({ connectionString: base.url });
  // Copying the company again would take minutes.
  await service.query(`update unified.connections set "nextSyncAt" = now() + interval '1 day'`);
  const standby = replicated ? await startStandby(base) : undefined;
  const limits = {
    REQUESTS_PER_MINUTE: `data=1000000,management=1000000,token=${TOKEN_LIMIT}`,
    ...(standby && { DATABASE_REPLICA_URLS: standby.url }),
  };
  const started = await Promise.all([
    startProcess(base, 'api', limits),
    startProcess(base, 'api', limits),
    startProcess(base, 'worker'),
    startProcess(base, 'worker'),
  ]);
  return {
    ...{ base, connections, service, standby },
    apis: [started[0], started[1]],
    workers: [started[2], started[3]],
    companySession: () => opened({ connectionString: settings.url, options: `-c search_path=${settings.schema}` }),
    async stop() {
      // Those that a test has killed have ended.
      for (const each of started) await each.kill().catch(() => {});
      for (const client of clients) await client.end();
      await standby?.remove();
      await base.stop();
    },
  };
}
