import type { Entity } from '@unified/contract';
import { createEngine, type Engine, type Systems, startWorker, type WorkerOptions } from '@unified/engine';
import { createServer, type ServerOptions } from '@unified/server';
import type { OperatorRole } from '@unified/store';
import { pino } from 'pino';
import { signIn, type TestApplication } from './application.ts';
import { type CheckedResponse, checkedFetch, type Sent } from './checked-fetch.ts';
import { type ConnectionOptions, connect, type TestConnection } from './connection.ts';
import { type McpUserOptions, mcpUser, type TestMcpUser } from './mcp-user.ts';
import { operator, type TestOperator } from './operator.ts';
import { database, type TestDatabase } from './test-database.ts';

/** A running server with its own database. Every response is compared with the document. */
export interface TestApi extends TestDatabase {
  readonly baseUrl: string;
  /** A connection with a valid token, which requests send by default. */
  readonly connection: TestConnection;
  connect(options?: ConnectionOptions): Promise<TestConnection>;
  /** Signs in an application to the Management API; by default, a new application. */
  signIn(applicationId?: string): Promise<TestApplication>;
  /** A new user of MCP. */
  mcpUser(options?: McpUserOptions): Promise<TestMcpUser>;
  /** A new operator who is signed in to the console; an admin by default. */
  operator(role?: OperatorRole): Promise<TestOperator>;
  /** Sends a request to a path such as `/v4/vendors`. Rejects if the response does not match the document. */
  fetch<Body = Record<string, unknown>>(
    path: string,
    sent?: Sent & { readonly token?: string | null },
  ): Promise<CheckedResponse<Body>>;
}

export type ApiOptions = Partial<
  Pick<
    ServerOptions,
    | 'publicUrl'
    | 'responses'
    | 'largestResponse'
    | 'mcpCallsPerMonth'
    | 'openIdProvider'
    | 'port'
    | 'requestsPerMinute'
    | 'rateLimits'
    | 'requestTimeoutMs'
    | 'closeTimeoutMs'
    | 'trustProxy'
    | 'limiter'
    | 'tokenCache'
    | 'requestLog'
    | 'logger'
    | 'contract'
    | 'now'
    | 'onServed'
  >
> & {
  /** Kinds of connected systems. With them, a worker is started that carries out writes. */
  readonly systems?: Systems;
  /** Fetches the documents of agents, in place of the engine. */
  readonly documentAt?: Engine['documentAt'];
  /** Retry policy of the worker; by default the one used in production. */
  readonly policies?: WorkerOptions['policies'];
  /** The entities of `contract`, if it is not the contract of the document. */
  readonly entities?: Readonly<Record<string, Entity>>;
};

/** A date before the end of any address in the document. */
const BEFORE_SUNSETS = Date.parse('2026-11-20T09:30:00Z');

/** Starts a database and a server on a free port. Its clock shows a fixed time before the end of any address. */
export async function api({ systems, policies, entities, documentAt, ...options }: ApiOptions = {}): Promise<TestApi> {
  const base = await database(entities);
  const { logger = pino({ level: 'silent' }) } = options;
  const background = { store: base.store, databaseUrl: base.url, log: logger, ...(systems && { systems }) };
  const engine = createEngine(background);
  // The worker does not synchronize, so only records that a test writes exist.
  const worker = systems && (await startWorker({ ...background, ...(policies && { policies }), syncs: 0 }));
  const connection = await connect(base.store);
  const server = await createServer({
    store: base.store,
    engine: documentAt ? { ...engine, documentAt } : engine,
    logger,
    publicUrl: base.store.publicUrl,
    requestsPerMinute: () => 1_000_000,
    now: () => BEFORE_SUNSETS,
    port: 0,
    ...options,
  });
  return {
    ...base,
    baseUrl: server.url,
    connection,
    connect: (more) => connect(base.store, more),
    signIn: (applicationId) => signIn(base.store, server.url, applicationId),
    mcpUser: (more) => mcpUser(base.store, more),
    operator: (role) => operator(base.store, role),
    fetch: (path, { token = connection.token, headers, ...sent } = {}) => {
      const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
      return checkedFetch(server.url + path, { ...sent, headers: { ...authorization, ...headers } });
    },
    async stop() {
      await server.close();
      await worker?.stop();
      await engine.close();
      await base.stop();
    },
  };
}
