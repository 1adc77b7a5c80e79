import { mkdir } from 'node:fs/promises';
import { buildSeeded, cache, exists, seededFile } from './database.ts';

// usage: node test-systems/tryton/build.ts [--fresh] builds the seeded database in the cache unless it exists
const fresh = process.argv.includes('--fresh');
const target = await seededFile();
await mkdir(cache, { recursive: true });
if (fresh || !(await exists(target))) await buildSeeded(target, { fresh });
