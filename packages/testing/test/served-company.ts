import { createEngine, startWorker } from '@unified/engine';
import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { createServer } from '@unified/server';
import { issueConnectionToken, type Store, type TokenAccess } from '@unified/store';
import { type CheckedResponse, checkedFetch, connect, database, type Sent } from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { companySettings } from '../../sandbox/test/company-database.ts';

/** The sandbox company, connected, read in full and served. */
export interface Company {
  /** Address of the server, without `/v4`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly store: Store;
  /** The application that owns the connection. */
  readonly applicationId: string;
  /** Returns a token of the connection that is restricted to entities and fields. */
  narrowedToken(access: TokenAccess): Promise<string>;
  /** The token of another connection of the same application to the same system, which has no records. */
  readonly strangerToken: string;
  /**
   * Sends a request below `/v4`, by default with the token of the connection; without one if `token` is null. Checks the response,
   * which is not compressed by default, because that would take a fifth of the CPU time of the tests of filters.
   */
  send<Body = Record<string, unknown>>(
    path: string,
    sent?: Sent & { readonly token?: string | null },
  ): Promise<CheckedResponse<Body>>;
  /** Runs SQL in the database of the company, as the company's own programs do. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** All records at an address, page by page. */
  all<T>(path: string): Promise<T[]>;
  stop(): Promise<void>;
}

/** Maximum time for `startCompany` on a busy machine. */
export const START_MS = 700_000;

/** Starts a server and a worker for the company, and reads every stream. */
export async function startCompany(): Promise<Company> {
  const base = await database(undefined, undefined, syncedCompany);
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const background = { store: base.store, databaseUrl: base.url, log: logger };
  const { connectionId, applicationId } = await companyOf(base, base.store);
  const { token: good } = await issueConnectionToken(base.store, { connectionId });
  const engine = createEngine(background);
  const worker = await startWorker(background);
  const server = await createServer({
    ...{ store: base.store, engine, logger, publicUrl: base.store.publicUrl, port: 0 },
    requestsPerMinute: () => 1_000_000,
  });
  const { url, schema } = await companySettings(base);
  // It does not reach a system, so it has no records, and the worker has nothing to do for it.
  const { token: strangerToken } = await connect(base.store, {
    ...{ applicationId, platform: 'sandbox', settings: { url: 'postgres://unknown@localhost/none' } },
  });
  const system = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 1 });
  const company: Company = {
    baseUrl: server.url,
    token: good,
    store: base.store,
    applicationId,
    strangerToken,
    narrowedToken: async (access) => (await issueConnectionToken(base.store, { connectionId, access })).token,
    send: (path, { token = good, headers, ...sent } = {}) => {
      const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
      const plain = { 'Accept-Encoding': 'identity' };
      return checkedFetch(`${server.url}/v4${path}`, { ...sent, headers: { ...plain, ...authorization, ...headers } });
    },
    sql: async (text, values = []) => (await system.query(text, [...values])).rows,
    async all<T>(path: string) {
      const records: T[] = [];
      for (let query = 'per_page=500'; query !== ''; ) {
        const { body } = await company.send<{ data: T[]; meta: { next_cursor: string | null } }>(`${path}?${query}`);
        records.push(...body.data);
        query = body.meta.next_cursor === null ? '' : `per_page=500&cursor=${body.meta.next_cursor}`;
      }
      return records;
    },
    async stop() {
      await server.close();
      await worker.stop();
      await engine.close();
      await system.end();
      await base.stop();
    },
  };
  return company;
}
