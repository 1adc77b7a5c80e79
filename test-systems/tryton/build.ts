import { mkdir } from 'node:fs/promises';
import { buildSeeded, cache, seededFile } from './database.ts';
import { seriesOf } from './series.ts';
import { exists, storageOf } from './storage.ts';

// usage: node test-systems/tryton/build.ts SERIES sqlite|postgres [--fresh] builds the seeded database in the cache unless it
// exists
const fresh = process.argv.includes('--fresh');
const kind = { series: seriesOf(process.argv[2]), storage: storageOf(process.argv[3]) };
const target = await seededFile(kind);
await mkdir(cache, { recursive: true });
if (fresh || !(await exists(target))) await buildSeeded(kind, target, { fresh });
