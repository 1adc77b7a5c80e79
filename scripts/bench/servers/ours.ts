// The whole server, as `npm start` runs it, with as many operations as the baseline; only the rate limits are the highest.
import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { createLogger, createServer } from '@unified/server';
import { loadKey, openStore, replicaUseOf } from '@unified/store';
import { manyOperations } from '../many-operations.ts';
import { reportUse } from './report-use.ts';

const databaseUrl = process.env.DATABASE_URL ?? '';
const publicUrl = 'http://localhost:4000';
/** A key is needed only to sign tokens or read secrets. */
const key = process.env.UNIFIED_KEY ? await loadKey(process.env.UNIFIED_KEY, '') : undefined;
/** The highest limit that an operator can set. */
const HIGHEST_LIMIT = 999_999_999;
const urls = process.env.DATABASE_REPLICA_URLS?.split(',') ?? [];
const replicas = { urls, maxLagMs: 60_000 };
const store = await openStore({ databaseUrl, publicUrl, entities, replicas, ...(key && { key }) });
while (replicaUseOf(store).some(({ problem }) => problem !== undefined)) await pause(20);
const logger = createLogger('warn');
const server = await createServer({
  store,
  engine: createEngine({ store, databaseUrl, log: logger }),
  contract: manyOperations(Number(process.env.OPERATIONS ?? 500)),
  logger,
  publicUrl,
  port: 0,
  requestsPerMinute: () => HIGHEST_LIMIT,
  rateLimits: { token: HIGHEST_LIMIT },
  ...(process.env.REQUEST_LOG === 'off' && { requestLog: false as const }),
});
reportUse();
process.send?.({ port: Number(new URL(server.url).port) });
