import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { connect, database, type TestConnection, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { companySettings } from '../../sandbox/test/company-database.ts';
import { REPLICATED, type Standby, startStandby } from '../../store/test/standby.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

/** Processes that serve the API, and workers, on one database. */
export interface SeveralProcesses {
  readonly base: TestDatabase;
  readonly apis: readonly [StartedProcess, StartedProcess];
  readonly workers: readonly StartedProcess[];
  /** Connections of one application to one account of the company. */
  readonly connections: readonly TestConnection[];
  /** Opens a session in the database of the service. */
  readonly service: pg.Client;
  /** Opens a session in the database of the company. */
  companySession(): Promise<pg.Client>;
  /** The read replica of the API processes, if there is one. */
  readonly standby: Standby | undefined;
  /** Starts one more process, which `stop` ends as well. */
  startApi(): Promise<StartedProcess>;
  startWorker(): Promise<StartedProcess>;
  stop(): Promise<void>;
}

export interface SeveralOptions {
  /** Whether the processes that serve the API have a read replica. */
  readonly replicated?: boolean;
  /** Number of workers; 2 by default. */
  readonly workers?: number;
  /** More settings of the processes that serve the API. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Requests for OAuth tokens per minute and address. */
export const TOKEN_LIMIT = 300;

const CONNECTIONS = 6;

/** Gives connections the state of the streams of another one: a worker that starts would otherwise read what has none. */
const AS_READ = `
  insert into unified.sync_streams
    select (jsonb_populate_record(state, jsonb_build_object('connection_id', id))).*
      from unified.sync_streams state, unnest($1::uuid[]) id where state.connection_id = $2`;

/** Starts two processes that serve the API, and workers, as an installation has them. */
export async function startSeveralProcesses(options: SeveralOptions = {}): Promise<SeveralProcesses> {
  const { replicated = false, workers = 2, env = {} } = options;
  const base = await database(undefined, undefined, syncedCompany, replicated ? REPLICATED : {});
  const { applicationId, connectionId } = await companyOf(base, base.store);
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
  await service.query(AS_READ, [connections.map(({ connectionId }) => connectionId), connectionId]);
  await service.query(`update unified.connections set "nextSyncAt" = now() + interval '1 day'`);
  const standby = replicated ? await startStandby(base) : undefined;
  const apiEnv = {
    REQUESTS_PER_MINUTE: `data=1000000,management=1000000,token=${TOKEN_LIMIT}`,
    ...(standby && { DATABASE_REPLICA_URLS: standby.url }),
    ...env,
  };
  const started: StartedProcess[] = [];
  const start = async (role: 'api' | 'worker', more?: Readonly<Record<string, string>>) => {
    const process = await startProcess(base, role, more);
    started.push(process);
    return process;
  };
  const startApi = () => start('api', apiEnv);
  const startWorker = () => start('worker');
  const [first, second, ...others] = await Promise.all([
    startApi(),
    startApi(),
    ...Array.from({ length: workers }, startWorker),
  ]);
  return {
    ...{ base, connections, service, standby, startApi, startWorker },
    apis: [first, second],
    workers: others,
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
