import { mkdir } from 'node:fs/promises';
import { buildSeeded, cache, exists, seededFile } from './database.ts';
import { seriesOf } from './series.ts';

// usage: node test-systems/tryton/build.ts SERIES [--fresh] builds the seeded database in the cache unless it exists
const fresh = process.argv.includes('--fresh');
const series = seriesOf(process.argv[2]);
const target = await seededFile(series);
await mkdir(cache, { recursive: true });
if (fresh || !(await exists(target))) await buildSeeded(series, target, { fresh });
