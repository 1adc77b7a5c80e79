import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { entities } from '@unified/contract';
import { loadKey, openStore } from '@unified/store';
import { pino } from 'pino';
import { startWorker } from '../src/index.ts';
import { persistentRetries } from './fast-retries.ts';
import { faultySystems } from './faulty-platform.ts';

// A worker as a separate process: see worker-process.ts.
const databaseUrl = process.env.DATABASE_URL ?? '';
const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
const store = await openStore({
  databaseUrl,
  publicUrl: 'http://localhost:4000',
  entities,
  key: await loadKey(undefined, process.env.DIRECTORY ?? ''),
});
process.send?.('ready');
// Starting takes longer than a kill test can wait for each of its workers.
if (process.env.WAITS) await once(process, 'message');
await startWorker({
  store,
  databaseUrl,
  log,
  systems: faultySystems,
  policies: persistentRetries,
  syncs: Number(process.env.SYNCS),
});
// A killed process does not write Node's compile cache, and the next one would compile everything again.
flushCompileCache();
process.send?.('working');
// If the parent ends without killing this process, this process exits as well.
process.on('disconnect', () => process.exit());
