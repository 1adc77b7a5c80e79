// Generates the company in a separate thread. The memory of 86,000 rows is freed when the thread ends, and each thread has its
// own seed date, which the modules below read when they are loaded.
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
