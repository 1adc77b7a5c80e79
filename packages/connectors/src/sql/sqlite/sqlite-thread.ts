// Runs statements on one database, one after the other. Without a thread, a locked file would block the whole process.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Statement, ThreadData } from './sqlite-database.ts';

const { file, timeout, readOnly }: ThreadData = workerData;
let database: DatabaseSync | undefined;

parentPort?.on('message', ({ id, text, values }: Statement) => {
  try {
    database ??= new DatabaseSync(file, { readOnly, timeout });
    const statement = database.prepare(text);
    statement.setReadBigInts(true);
    statement.setAllowUnknownNamedParameters(true);
    const parameters = values.map((value, index) => [`$${index + 1}`, value] as const);
    const rows = statement.all(Object.fromEntries(parameters)).map(plain);
    parentPort?.postMessage({ id, rows });
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    parentPort?.postMessage({ id, errcode, message });
  }
});

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, json(value)]));
}

/** Types are those of values, not of columns. A whole number that JSON would round becomes text, and bytes become hexadecimal. */
function json(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
