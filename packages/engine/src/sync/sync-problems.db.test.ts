import { partOf, type RawRow } from '@unified/connectors';
import { entities } from '@unified/contract';
import { page } from '@unified/store';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { faultySystems, platform, stream } from '../../test/faulty-platform.ts';
import { type Site, startHarness } from '../../test/harness.ts';
import { register } from '../../test/webhook-changes.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import type { Systems } from '../model/systems.ts';

const harness = await startHarness();
const lines: Record<string, unknown>[] = [];
/** Columns that the system returns; null if it cannot return them. */
let columns: string[] | null = null;
/** Columns that its table has; null if it does not report them. */
let written: string[] | null = null;

/** Options of the stream in the platform. */
let options: Readonly<Record<string, string>> = {};
let version = 0;

/**
 * The faulty systems, with the columns and options above. A full pass reads a row named Twin after another row with the same key.
 */
const systems: Systems = {
  platformOf: (id) =>
    id === platform.id ? { ...platform, streams: [{ ...stream, options }] } : faultySystems.platformOf(id),
  version: () => version,
  openDriver: (given, settings) => {
    const driver = faultySystems.openDriver(given, settings);
    const shown = async () => columns?.map((name) => ({ name, type: 'text' })) ?? null;
    const table = () =>
      written && {
        written: async () => ({
          table: 'shop.rows',
          columns: written ?? [],
          lists: new Map(),
          actions: new Set<string>(),
        }),
      };
    const pull: typeof driver.pull = async (request) => {
      const page = await driver.pull(request);
      const twins = ({ key, row }: RawRow) => (row.name === 'Twin' ? [{ key, row: { ...row, name: 'Lost' } }] : []);
      return { ...page, rows: page.rows.flatMap((row) => [...twins(row), row]) };
    };
    return { ...driver, pull, discover: { ...partOf(driver, 'discover'), columns: shown, ...table() } };
  },
};
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
await harness.worker({ syncs: 2, endpoints: 2, systems, log });

async function problems({ scope }: Site) {
  return (await harness.engine.syncStatus(scope)).flatMap((status) => status.problems);
}

const entry = (...amounts: unknown[]) => ({ kind: 'entry', name: 'E', lines: amounts.map((amount) => ({ amount })) });
const unreadable = {
  ...{ entity: 'JournalEntry', field: 'lines.debit', path: 'lines.amount', reason: 'unreadable' },
  message: 'The value is not a number.',
};

test('a number read from text is counted in the status of the sync, with an example that the log does not have', async () => {
  const site = await harness.site();
  const { id } = site.system.put(entry('Secret name', 2));
  site.system.put(entry('Other', 'Third'));
  site.system.put(entry(1));
  await site.sync('full');
  expect(await problems(site)).toEqual([{ ...unreadable, count: 3, example: 'Other' }]);
  const warnings = () => lines.filter(({ connectionId }) => connectionId === site.connectionId);
  // The run that is due after a connection was created may also report them.
  expect(warnings()).not.toEqual([]);
  for (const { problems } of warnings()) expect(problems).toEqual([{ stream: 'rows', ...unreadable, count: 3 }]);
  expect(JSON.stringify(warnings())).not.toMatch(/Secret|Other|Third/);
  site.system.put({ id, ...entry(5) });
  await site.sync('incremental');
  expect(await problems(site)).toEqual([{ ...unreadable, count: 2, example: 'Other' }]);
});

test('a row that an action or a write returns counts like one that a sync reads', async () => {
  const site = await harness.site();
  await site.sync('full');
  site.system.onCreate = (values) => ({ ...values, lines: [{ amount: 'abc' }] });
  await site.write({ entity: 'JournalEntry', input: { memo: 'E' } });
  expect(await problems(site)).toEqual([{ ...unreadable, count: 1, example: 'abc' }]);
});

test('a mapping that reads a missing column is reported in the status: memo from name', async () => {
  const paths = Object.values(platform.mappings).flatMap((mapping) => mapping.paths.map(({ path }) => path));
  columns = paths.map((path) => (path === 'name' ? 'nam' : path)).map((path) => path.split('.')[0] ?? '');
  const site = await harness.site();
  await site.sync('full');
  expect(await problems(site)).toContainEqual({
    ...{ entity: 'JournalEntry', field: 'memo', path: 'name', reason: 'missing_column' },
    message: 'rows has no column "name". Did you mean "nam"?',
    ...{ count: null, example: null },
  });
  columns = [...columns, 'name'];
  await site.sync('incremental');
  expect((await problems(site)).length).toBeGreaterThan(0);
  await site.sync('full');
  expect(await problems(site)).toEqual([]);
});

test('a column that is used only by writes is reported in the status, and reading continues', async () => {
  const paths = Object.values(platform.mappings).flatMap((mapping) => [...mapping.paths, ...mapping.written]);
  columns = [...new Set(paths.map(({ path }) => path.split('.')[0] ?? ''))];
  written = columns.filter((name) => name !== 'kind');
  const site = await harness.site();
  site.system.put(entry(1));
  await site.sync('full');
  expect(await problems(site)).toEqual([
    {
      ...{ entity: 'JournalEntry', field: 'onCreate', path: 'kind', reason: 'missing_column' },
      message: 'shop.rows has no column "kind", which writes set. Correct the mapping.',
      ...{ count: null, example: null },
    },
  ]);
  const statuses = await harness.engine.syncStatus(site.scope);
  expect(statuses).toEqual([expect.objectContaining({ error: null, lastSuccessAt: expect.anything() })]);
  written = columns;
  await site.sync('full');
  expect(await problems(site)).toEqual([]);
  columns = null;
  written = null;
});

describe('a column that a mapping reads disappears', () => {
  const all = () => {
    const paths = Object.values(platform.mappings).flatMap((mapping) => mapping.paths);
    return [...new Set(paths.map(({ path }) => path.split('.')[0] ?? ''))];
  };
  const without = (name: string) => all().filter((each) => each !== name);
  const status = async ({ scope }: Site) => (await harness.engine.syncStatus(scope))[0];
  const memos = async ({ scope }: Site) => {
    const { docs } = await page(scope, entities.JournalEntry, { conditions: [], sort: [], limit: 10 });
    return docs.map((record) => JSON.parse(record).memo);
  };

  test('an event reports what changed and the fields that read it, once', async () => {
    const site = await harness.site();
    const { connectionId } = site;
    const receiver = await startWebhookReceiver();
    const wanted = { events: ['sync.columns_changed'] as const, connectionIds: [connectionId] };
    await register(harness.store, site.scope, { url: receiver.url, ...wanted });
    columns = all();
    await site.sync('full');
    columns = [...without('name'), 'title'];
    for (const mode of ['full', 'incremental'] as const) await site.sync(mode);
    columns = all();
    await site.sync('full');
    const received = () => receiver.received.map(({ event }) => event.data.columnChanges);
    const fields = expect.arrayContaining(['JournalEntry.memo']);
    await expect.poll(received).toMatchObject([
      [
        { column: 'name', change: 'removed', fields },
        { column: 'title', change: 'added', fields: [] },
      ],
      [{ column: 'title', change: 'removed', fields: [] }],
    ]);
    expect(receiver.received[0]?.event).toMatchObject({
      type: 'sync.columns_changed',
      data: { connectionId, stream: 'rows' },
    });
    columns = null;
  });

  test('the log distinguishes a change of the connected system from one of the options in the platform', async () => {
    const site = await harness.site();
    const logged = (begin: number) =>
      lines.slice(begin).flatMap(({ msg }) => (String(msg).startsWith('columns of') ? [msg] : []));
    columns = all();
    await site.sync('full');
    columns = [...all(), 'fresh'];
    let begin = lines.length;
    await site.sync('full');
    expect(logged(begin)).toEqual(['columns of a stream changed in the connected system']);
    options = { fields: 'fewer' };
    version += 1;
    columns = all();
    begin = lines.length;
    await site.sync('full');
    expect(logged(begin)).toEqual(['columns of a stream changed after its options were edited in the platform']);
    columns = [...all(), 'later'];
    begin = lines.length;
    await site.sync('full');
    expect(logged(begin)).toEqual(['columns of a stream changed in the connected system']);
    columns = null;
    options = {};
    version += 1;
  });

  test('the stream is not read, no field becomes empty, and the status names column and fields, until it is back', async () => {
    const site = await harness.site();
    columns = all();
    site.system.put({ ...entry(1), name: 'Rent' });
    await site.sync('full');
    columns = [...without('name'), 'title'];
    const removed = {
      column: 'name',
      change: 'removed',
      from: 'text',
      to: null,
      fields: expect.arrayContaining(['JournalEntry.memo']),
    };
    for (const mode of ['full', 'incremental'] as const) {
      await site.sync(mode);
      expect(await status(site)).toMatchObject({ error: expect.stringContaining('"name", which is read for') });
      expect((await status(site))?.columnChanges.filter(({ change }) => change === 'removed')).toMatchObject([removed]);
    }
    expect((await status(site))?.columnChanges).toContainEqual(
      expect.objectContaining({ column: 'title', change: 'added', from: null, to: 'text', fields: [] }),
    );
    expect(await memos(site)).toEqual(['Rent']);
    columns = all();
    await site.sync('incremental');
    expect(await status(site)).toMatchObject({ error: null });
    columns = null;
  });

  test('a page of an incremental pass without the column is not stored', async () => {
    const site = await harness.site();
    columns = all();
    const { id } = site.system.put({ ...entry(1), name: 'Rent' });
    await site.sync('full');
    columns = without('name');
    site.system.put({ id, name: undefined });
    await site.sync('incremental');
    expect(await status(site)).toMatchObject({ error: expect.stringContaining('no longer has the column "name"') });
    expect(await memos(site)).toEqual(['Rent']);
    columns = null;
  });

  test('a synchronization with acceptColumns reads it, and the problem stays in the status', async () => {
    const site = await harness.site();
    columns = all();
    await site.sync('full');
    columns = without('name');
    await site.sync('full');
    await harness.engine.requestSyncOf(site.scope, 'full', { acceptColumns: true });
    await expect.poll(async () => (await status(site))?.error, { timeout: 60_000 }).toBeNull();
    expect(await problems(site)).toContainEqual(expect.objectContaining({ path: 'name', reason: 'missing_column' }));
    columns = null;
  });
});

test('references to records that do not exist are counted by field, with an example, until they exist', async () => {
  const site = await harness.site();
  const line = (currency: string) => ({ kind: 'entry', name: 'E', lines: [{ amount: 1, currency }] });
  site.system.put(line('XXX'));
  site.system.put(line('XXX'));
  site.system.put(line('YYY'));
  const { id } = site.system.put({ kind: 'currency', name: 'Euro', code: 'EUR' });
  await site.sync('full');
  const missing = {
    ...{ entity: 'JournalEntry', field: 'lines', reason: 'no_record' },
    message: 'No Currency, or more than one, has this code.',
  };
  const found = async () => (await problems(site)).filter(({ reason }) => reason === 'no_record');
  expect(await found()).toEqual([expect.objectContaining({ ...missing, count: 3, example: 'XXX' })]);
  const warnings = lines.filter(({ connectionId }) => connectionId === site.connectionId);
  expect(warnings).toEqual([
    expect.objectContaining({ problems: [expect.objectContaining({ ...missing, count: 3 })] }),
  ]);
  expect(JSON.stringify(warnings)).not.toContain('XXX');
  site.system.put({ id, kind: 'currency', name: 'X', code: 'XXX' });
  await site.sync('incremental');
  expect(await found()).toEqual([expect.objectContaining({ ...missing, count: 1, example: 'YYY' })]);
});

test('rows replaced by another row with the same key are counted, until the key is unique again', async () => {
  const site = await harness.site();
  const { id } = site.system.put({ kind: 'vendor', name: 'Twin' });
  site.system.put({ kind: 'vendor', name: 'Single' });
  const duplicate = { entity: 'Vendor', field: '_idValue', path: null, reason: 'duplicate_key', count: 1 };
  await site.sync('full');
  expect(await problems(site)).toEqual([expect.objectContaining({ ...duplicate, example: String(id) })]);
  const warnings = () => lines.filter(({ connectionId }) => connectionId === site.connectionId);
  expect(warnings()).toEqual([expect.objectContaining({ problems: [expect.objectContaining(duplicate)] })]);
  await site.sync('full');
  expect(await problems(site)).toEqual([expect.objectContaining(duplicate)]);
  expect(warnings()).toHaveLength(2);
  site.system.put({ id, name: 'Only' });
  await site.sync('full');
  expect(await problems(site)).toEqual([]);
});
