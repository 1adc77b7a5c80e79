import { openDriver } from '@unified/connectors';
import { entities } from '@unified/contract';
import { loadKey, openStore } from '@unified/store';
import { pino } from 'pino';
import { tokenPlatform } from '../../connectors/test/token-platform.ts';
import { createDriverPool } from '../src/drivers/driver-pool.ts';
import { memoryQuotas } from '../src/drivers/quotas.ts';

// A process that calls the system of a connection: see token-process.ts.
const platform = tokenPlatform();
const store = await openStore({
  databaseUrl: process.env.DATABASE_URL ?? '',
  publicUrl: 'http://localhost:4000',
  entities,
  key: await loadKey(undefined, process.env.DIRECTORY ?? ''),
});
const drivers = createDriverPool({
  ...{ store, log: pino({ level: 'silent' }), quotas: memoryQuotas(), calls: { add: () => undefined } },
  systems: { platformOf: () => platform, openDriver },
});
process.on('message', async () => {
  const outcome = await drivers
    .withDriver(process.env.CONNECTION ?? '', async ({ driver }) => {
      await driver.check();
      return 'called';
    })
    .catch(({ kind, words }: { kind: string; words: string }) => ({ kind, words }));
  process.send?.(outcome);
});
process.send?.('ready');
// If the parent ends without killing this process, this process exits as well.
process.on('disconnect', () => process.exit());
