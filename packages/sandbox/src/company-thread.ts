// A thread that generates the company and ends. Memory for 86,000 rows is freed with it, and each thread has its own
// seed date, on which the modules below depend when they are loaded.
import { parentPort } from 'node:worker_threads';
import { company } from './company/company.ts';
import { derivedSeed } from './derived/seed-derived.ts';
import type { EncodedTable } from './row.ts';

const handMade = company();
for (const { table, rows } of [...handMade, ...derivedSeed(handMade)]) {
  const encoded: EncodedTable = {
    table,
    columns: Object.keys(rows[0] ?? {}),
    count: rows.length,
    json: JSON.stringify(rows),
  };
  parentPort?.postMessage(encoded);
}
