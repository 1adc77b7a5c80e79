// A worker in a process of its own, with the generated system, so that it shares its processor time with no measurement.
import { entities } from '@unified/contract';
import { startWorker } from '@unified/engine';
import { openStore } from '@unified/store';
import { pino } from 'pino';
import { generatedSystem } from '../generated-system.ts';
import { reportUse } from './report-use.ts';

const databaseUrl = process.env.DATABASE_URL ?? '';
const key = { id: 'bench', bytes: Buffer.alloc(32, 7) };
const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
await startWorker({
  store,
  databaseUrl,
  systems: generatedSystem(0, Number(process.env.PLACES ?? 200)),
  log: pino({ level: 'warn' }),
});
reportUse();
process.send?.({ port: 0 });
