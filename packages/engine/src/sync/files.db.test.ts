import { utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addPlatforms } from '@unified/connectors';
import { entities } from '@unified/contract';
import { page } from '@unified/store';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createExportFolder } from '../../../connectors/test/export-folder.ts';
import { startHarness } from '../../test/harness.ts';
import { syncEnd } from '../../test/sync-end.ts';
import type { SyncMode } from '../jobs/jobs.ts';

// Starts a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
addPlatforms(fileURLToPath(new URL('../../../connectors/examples', import.meta.url)));

const exports = createExportFolder();
vi.stubEnv('FILES_FOLDER', exports.root);
afterAll(() => {
  vi.unstubAllEnvs();
  exports.remove();
});

const HEADER = 'Number;Name;Street;Postcode;City;E-mail;Blocked\n';
const suppliers = (...rows: readonly string[]) => `${HEADER}${rows.map((row) => `${row};;;;;\n`).join('')}`;
exports.put('suppliers.csv', suppliers('1;Ada', '2;Bob'));
exports.put('orders-2026-11.csv', 'Order;Supplier;Date;Total;Status\nB-1;1;03.11.2026;1.234,50;O\n');

const harness = await startHarness();
const { engine } = harness;
await harness.worker({ syncs: 1 });
const scope = await harness.connect('old-erp-files', { folder: '.' });

async function sync(mode: SyncMode): Promise<void> {
  await engine.requestSync(scope.connectionId, mode);
  await syncEnd(harness.databaseUrl, scope.connectionId, 120_000, mode);
}

async function records(entity: 'Vendor' | 'PurchaseOrder'): Promise<Record<string, unknown>[]> {
  const { docs } = await page(scope, entities[entity], { conditions: [], sort: [], limit: 100 });
  return JSON.parse(`[${docs}]`);
}

async function names(): Promise<unknown[]> {
  return (await records('Vendor')).map(({ name }) => name).sort();
}

async function status() {
  return (await engine.syncStatus(scope)).find(({ stream }) => stream === 'suppliers');
}

beforeEach(async () => {
  exports.put('suppliers.csv', suppliers('1;Ada', '2;Bob'));
  await engine.requestSyncOf(scope, 'full', { acceptDeletes: true });
  await syncEnd(harness.databaseUrl, scope.connectionId, 120_000, 'full');
  expect(await names()).toEqual(['Ada', 'Bob']);
  expect(await status()).toMatchObject({ error: null });
});

test('rows of two files become records that refer to each other', async () => {
  const [order] = await records('PurchaseOrder');
  expect(order).toMatchObject({ code: 'B-1', total: 1234.5, orderDate: '2026-11-03', statusCategory: 'approved' });
  expect(order?.vendor).toMatchObject({ _displayValue: 'Ada' });
});

test('an incremental run does not read a file that has the size and the time of the last pass; a full one does', async () => {
  const before = await status();
  const first = await exportedAt(suppliers('1;Ada', '2;Bob'));
  await sync('full');
  await exportedAt(suppliers('1;Eve', '2;Bob'), first);
  await sync('incremental');
  expect(await names()).toEqual(['Ada', 'Bob']);
  const after = await status();
  expect(Date.parse(after?.lastSuccessAt ?? '')).toBeGreaterThan(Date.parse(before?.lastSuccessAt ?? ''));
  await sync('full');
  expect(await names()).toEqual(['Bob', 'Eve']);
});

test('an incremental run reads a file that changed completely, and deletes the records of rows that it no longer has', async () => {
  exports.put('suppliers.csv', suppliers('2;Bob', '3;Cy'), 1800);
  await sync('incremental');
  expect(await names()).toEqual(['Bob', 'Cy']);
});

test('a column that was renamed stops the stream, and no field is emptied', async () => {
  exports.put('suppliers.csv', suppliers('1;Ada', '2;Bob').replace(';Name;', ';Title;'), 1800);
  await sync('incremental');
  expect(await names()).toEqual(['Ada', 'Bob']);
  expect(await status()).toMatchObject({
    error: expect.stringMatching(
      /^suppliers no longer has the column "Name", which is read for .*Vendor.name\. Its records stay/,
    ),
    columnChanges: [
      { column: 'Name', change: 'removed' },
      { column: 'Title', change: 'added' },
    ],
  });
  expect((await records('PurchaseOrder')).map(({ code }) => code)).toEqual(['B-1']);
});

test.each([
  ['is empty', '', 'suppliers.csv is empty. Its records stay as they are'],
  ['is HTML', '<html><body>Sign in</body></html>', 'suppliers.csv contains HTML, not CSV'],
  ['is cut off', suppliers('1;Ada').slice(0, -4), 'suppliers.csv has 4 values in line 2, but 7 columns'],
])('a file that %s deletes nothing, and is read when it is complete', async (_, content, error) => {
  exports.put('suppliers.csv', content, 1800);
  await sync('incremental');
  expect(await names()).toEqual(['Ada', 'Bob']);
  expect(await status()).toMatchObject({ error: expect.stringContaining(error) });
  exports.put('suppliers.csv', suppliers('3;Cy'), 1700);
  await sync('incremental');
  expect(await names()).toEqual(['Cy']);
  expect(await status()).toMatchObject({ error: null });
});

test('rows with the same key are reported', async () => {
  exports.put('suppliers.csv', suppliers('1;Ada', '1;Eve'), 1800);
  await sync('incremental');
  expect(await names()).toEqual(['Eve']);
  expect((await status())?.problems).toEqual([
    expect.objectContaining({ entity: 'Vendor', reason: 'duplicate_key', count: 1, example: '1' }),
  ]);
});

/** Writes the file with the given time of change, to the millisecond, or with a time of its own, which it returns. */
async function exportedAt(content: string, at = Math.floor(Date.now() / 1000) - 900): Promise<number> {
  utimesSync(exports.put('suppliers.csv', content), at, at);
  return at;
}

describe('a file that lost half of its rows', () => {
  const many = (from: number) =>
    suppliers(...Array.from({ length: 30 }, (_, index) => `${from + index};Supplier ${from + index}`));
  const short = suppliers('1;Renamed', '99;New', ...Array.from({ length: 8 }, (_, index) => `${index + 2};Old`));

  async function lost(): Promise<void> {
    exports.put('suppliers.csv', many(1), 1800);
    await sync('incremental');
    exports.put('suppliers.csv', short, 1700);
    await sync('incremental');
  }

  test('deletes nothing and is reported until it is complete; what it has is stored', async () => {
    await lost();
    expect(await names()).toHaveLength(31);
    expect(await names()).toEqual(expect.arrayContaining(['Renamed', 'New', 'Supplier 30']));
    const error = expect.stringMatching(
      /^suppliers \(suppliers\.csv\) no longer has 21 of its 31 rows, so it may be incomplete\. .*acceptDeletes/,
    );
    expect(await status()).toMatchObject({ error });
    // A failed stream is due again after two minutes.
    expect(Date.parse((await status())?.nextRunAt ?? '')).toBeGreaterThan(Date.now() + 3 * 60_000);
    await sync('incremental');
    expect(await status()).toMatchObject({ error });
    exports.put('suppliers.csv', many(1), 1600);
    await sync('incremental');
    expect(await status()).toMatchObject({ error: null });
    expect(await names()).toHaveLength(30);
  });

  test('deletes them when the deletion is confirmed', async () => {
    await lost();
    await engine.requestSyncOf(scope, 'incremental', { acceptDeletes: true });
    await expect.poll(async () => (await status())?.error, { timeout: 60_000 }).toBeNull();
    expect(await names()).toHaveLength(10);
  });
});
