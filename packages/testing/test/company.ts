import { seedSandbox } from '@unified/connectors/sandbox';
import { createEngine, startWorker } from '@unified/engine';
import { createServer } from '@unified/server';
import { type Answer, checkedFetch, connect, database, type Sent } from '@unified/testing';
import { pino } from 'pino';
import { vi } from 'vitest';
import { syncEnd } from './sync-end.ts';

/** The sandbox company, connected, read in full and served. */
export interface Company {
  /** Address of the server, without `/v4`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Sends a request below `/v4`, with the token of the connection unless `token` is null. Checks the answer. */
  send<Body = Record<string, unknown>>(path: string, sent?: Sent & { readonly token?: null }): Promise<Answer<Body>>;
  /** All records at an address, page by page. */
  all<T>(path: string): Promise<T[]>;
  stop(): Promise<void>;
}

const SYNC_MS = 300_000;

/** How long `startCompany` may take on a busy machine. */
export const START_MS = 700_000;

/** Seeds the company, starts a server and a worker, and waits until every stream was read and nothing more changes. */
export async function startCompany(): Promise<Company> {
  const base = await database();
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  await seedSandbox({ url: base.url, schema: 'erp' });
  const background = { store: base.store, databaseUrl: base.url, log: logger };
  const engine = createEngine(background);
  const {
    connectionId,
    scope,
    token: good,
  } = await connect(base.store, { platform: 'sandbox', settings: { url: base.url } });
  const worker = await startWorker(background);
  const server = await createServer({
    ...{ store: base.store, engine, logger, publicUrl: base.store.publicUrl, port: 0 },
    requestsPerMinute: () => 1_000_000,
  });
  const isRead = async () => {
    const streams = await engine.syncStatus(scope);
    const open = streams.filter(({ lastSuccessAt, error }) => lastSuccessAt === null && error === null);
    if (open.length > 0) throw new Error(`not read in time: ${open.map(({ stream }) => stream).join(', ')}`);
    const failed = streams.flatMap(({ stream, error }) => (error === null ? [] : `${stream}: ${error}`));
    return failed;
  };
  const failed = await vi.waitFor(isRead, { timeout: SYNC_MS, interval: 100 });
  if (failed.length > 0) throw new Error(failed.join('\n'));
  await syncEnd(base.store, connectionId, SYNC_MS);
  const company: Company = {
    baseUrl: server.url,
    token: good,
    send: (path, { token = good, headers, ...sent } = {}) => {
      const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
      return checkedFetch(`${server.url}/v4${path}`, { ...sent, headers: { ...authorization, ...headers } });
    },
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
      await base.stop();
    },
  };
  return company;
}
