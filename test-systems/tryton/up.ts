import { resolve } from 'node:path';
import { seriesOf } from './series.ts';
import { startTryton } from './start.ts';

// usage: node test-systems/tryton/up.ts [DIRECTORY] [PORT] [--fresh] stop it with Ctrl-C, or: kill $(cat
// DIRECTORY/trytond.pid). TRYTON_SERIES=8.2 starts that series, TRYTON_DATABASE=postgres stores its data in PostgreSQL.
const [dir = `.data/tryton-${seriesOf().name}`, port = '8069'] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith('--'));
const fresh = process.argv.includes('--fresh');

const tryton = await startTryton({ dir: resolve(dir), port: Number(port), fresh });
console.log(`Tryton: ${tryton.url}  database ${tryton.database}  user ${tryton.user}  password ${tryton.password}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void tryton.stop());
