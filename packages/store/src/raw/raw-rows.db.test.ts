import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  deleteRawRows,
  forgetPasses,
  type KeyedRow,
  missingAfterPass,
  rawKeysAfter,
  rawRowPages,
  rawRows,
  rawRowsAfter,
  rawRowsInParts,
  rawStreams,
  saveRawRows,
  saveSyncState,
  syncState,
  syncStates,
} from '../index.ts';

const { freshScope, admin } = await testDatabase();
const row = (key: string, value: unknown = 1) => ({ key, row: { value } });
const pass = (n: number) => ({
  id: `0199d2a4-6c1e-7a53-9f0b-00000000000${n}`,
  startedAt: new Date(Date.now() + 60_000).toISOString(),
});

test('only rows that are new or differ are returned as changed', async () => {
  const scope = freshScope();
  expect(await saveRawRows(scope, 's', [row('a'), row('b')])).toEqual({ changed: ['a', 'b'], unchanged: 0 });
  expect(await saveRawRows(scope, 's', [row('a'), row('b', 2), row('c')])).toEqual({
    changed: ['b', 'c'],
    unchanged: 1,
  });
  expect(await saveRawRows(scope, 't', [row('a')])).toEqual({ changed: ['a'], unchanged: 0 });
  expect(await rawRows(scope, 's', ['b', 'a', 'x'])).toEqual([row('a'), row('b', 2)]);
  expect(await rawStreams(scope)).toEqual([
    { stream: 's', rows: 3 },
    { stream: 't', rows: 1 },
  ]);
});

test('the changed rows are passed on before they are committed', async () => {
  const scope = freshScope();
  const countOutside = async () => (await rawRows(scope, 's', ['a', 'b'])).length;
  await saveRawRows(scope, 's', [row('a')]);
  await scope.transaction(async (inner) => {
    let outside: Promise<number> | undefined;
    await saveRawRows(inner, 's', [row('a'), row('b')], undefined, (saved) => {
      expect(saved).toEqual({ changed: ['b'], unchanged: 1 });
      outside = countOutside();
    });
    expect(await outside).toBe(1);
  });
  expect(await countOutside()).toBe(2);
});

test('of several rows with the same key, the last is stored, and the key is returned until a page has only one such row', async () => {
  const scope = freshScope();
  const twins = { changed: ['a'], unchanged: 1, duplicates: new Set(['a']) };
  await saveRawRows(scope, 's', [row('b')]);
  expect(await saveRawRows(scope, 's', [row('a'), row('a', 2), row('b')])).toEqual(twins);
  expect(await saveRawRows(scope, 's', [row('a'), row('a', 2), row('b')])).toEqual(twins);
  expect(await rawRows(scope, 's', ['a'])).toEqual([row('a', 2)]);
  expect(await saveRawRows(scope, 's', [row('a', 2), row('b')])).toEqual({ changed: ['a'], unchanged: 1 });
  expect(await saveRawRows(scope, 's', [row('a', 2), row('a', 2)])).toEqual({ changed: [], unchanged: 1 });
});

test('an unchanged row is not written', async () => {
  const scope = freshScope();
  await saveRawRows(scope, 's', [row('a')]);
  const place = () =>
    admin.query('select ctid, xmin from unified.raw_rows where connection_id = $1', [scope.connectionId]);
  const before = (await place()).rows;
  await saveRawRows(scope, 's', [row('a')], pass(1));
  expect((await place()).rows).toEqual(before);
});

test('a finished pass returns the rows that it did not see', async () => {
  const scope = freshScope();
  await saveRawRows(scope, 's', [row('a'), row('b'), row('c')]);
  await saveRawRows(scope, 's', [row('a')], pass(1));
  await saveRawRows(scope, 's', [row('c', 2), row('d')], pass(1));
  expect(await missingAfterPass(scope, 's', pass(1))).toEqual(['b']);
  await forgetPasses(scope, 's', pass(2));
  expect(await missingAfterPass(scope, 's', pass(1))).toEqual(['a', 'b', 'c', 'd']);
});

test('a row that was saved while a pass was running is not missing', async () => {
  const scope = freshScope();
  const began = { ...pass(1), startedAt: new Date(Date.now() - 60_000).toISOString() };
  await saveRawRows(scope, 's', [row('written')]);
  expect(await missingAfterPass(scope, 's', began)).toEqual([]);
});

test('a deleted row is not returned, and counts as changed when it is read again', async () => {
  const scope = freshScope();
  await saveRawRows(scope, 's', [row('a')]);
  await deleteRawRows(scope, 's', ['a']);
  expect(await rawRows(scope, 's', ['a'])).toEqual([]);
  expect(await missingAfterPass(scope, 's', pass(1))).toEqual([]);
  expect(await saveRawRows(scope, 's', [row('a')])).toEqual({ changed: ['a'], unchanged: 0 });
  expect(await rawRows(scope, 's', ['a'])).toEqual([row('a')]);
});

test('rows are read in the order of their keys', async () => {
  const scope = freshScope();
  await saveRawRows(
    scope,
    's',
    ['c', 'a', 'b'].map((key) => row(key)),
  );
  expect((await rawRowsAfter(scope, 's', '', 2)).map(({ key }) => key)).toEqual(['a', 'b']);
  expect((await rawRowsAfter(scope, 's', 'b', 2)).map(({ key }) => key)).toEqual(['c']);
});

test('texts that PostgreSQL does not support are stored unchanged', async () => {
  const scope = freshScope();
  await saveRawRows(scope, 's', [row('a', 'quote " slash \\ nul \0 brace } ü')]);
  expect(await rawRows(scope, 's', ['a'])).toEqual([row('a', 'quote " slash \\ nul \0 brace } ü')]);
});

test('the error of a stream is stored even if it contains characters that PostgreSQL cannot store', async () => {
  const { error } = await saveSyncState(freshScope(), 's', { error: 'bad\0x \ud800' });
  expect(error).toBe('bad\u{FFFD}x \u{FFFD}');
});

test('only the given properties of the state of a stream change', async () => {
  const scope = freshScope();
  expect(await syncState(scope, 's')).toBeNull();
  await saveSyncState(scope, 's', { cursor: { at: 5 }, rowsSeen: 10, nextRunAt: '2026-01-01T00:00:00.000Z' });
  const state = await saveSyncState(scope, 's', { error: 'down', cursor: 'text' });
  expect(state).toMatchObject({ stream: 's', cursor: 'text', rowsSeen: 10, error: 'down', passId: null });
  expect(await saveSyncState(scope, 's', { error: null })).toMatchObject({ error: null, cursor: 'text' });
  expect(await syncStates(scope)).toHaveLength(1);
  expect(await syncStates(freshScope())).toEqual([]);
});

test('long rows are stored by several statements', async () => {
  const scope = freshScope();
  const long = 'x'.repeat(3_000_000);
  await saveRawRows(scope, 's', [row('a', long), row('b', long), row('c', long), row('d')]);
  const { rows } = await admin.query(
    'select cmin::text as command, count(*)::int from unified.raw_rows where connection_id = $1 group by 1 order by 1',
    [scope.connectionId],
  );
  expect(rows.map(({ count }) => count)).toEqual([2, 2]);
});

test('pages of large rows end at 16 MB, and contain every row once', async () => {
  const scope = freshScope();
  const keys = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
  for (const key of keys) await saveRawRows(scope, 's', [row(key, key.repeat(key === 'c' ? 17_000_000 : 3_000_000))]);
  const pages: string[][] = [];
  for (let after = ''; ; after = pages.at(-1)?.at(-1) ?? '') {
    const page = await rawRowsAfter(scope, 's', after, 1000);
    expect(await rawKeysAfter(scope, 's', after, 1000)).toEqual(page.map(({ key }) => key));
    if (page.length === 0) break;
    pages.push(page.map(({ key }) => key));
  }
  expect(pages.map((page) => page.join(''))).toEqual(['ab', 'c', 'defgh', 'ijkl']);
});

test('pages of rows that cannot be compressed end at 4 MB, so that PostgreSQL sends no rows in vain', async () => {
  const scope = freshScope();
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await saveRawRows(
    scope,
    's',
    keys.map((key) => row(key, randomBytes(1_200_000).toString('base64'))),
  );
  for (const [after, page] of Object.entries({ a: ['b', 'c'], c: ['d', 'e'], e: [] })) {
    expect((await rawRowsAfter(scope, 's', after, 1000)).map(({ key }) => key)).toEqual(page);
    expect(await rawKeysAfter(scope, 's', after, 1000)).toEqual(page);
  }
});

test('the pages of a stream contain every row once', async () => {
  const scope = freshScope();
  const rows = ['a', 'b', 'c'].map((key, index) => row(key, index));
  await saveRawRows(scope, 's', rows);
  const pages: (readonly KeyedRow[])[] = [];
  for await (const page of rawRowPages(scope, { stream: 's', after: '', limit: 2 })) pages.push(page);
  expect(pages).toEqual([rows.slice(0, 2), rows.slice(2)]);
  for await (const page of rawRowPages(scope, { stream: 's', after: 'b', limit: 2 }))
    expect(page).toEqual([row('c', 2)]);
});

test('rows are read by their keys in parts that fit into memory', async () => {
  const scope = freshScope();
  const keys = ['a', 'b', 'c'];
  await saveRawRows(
    scope,
    's',
    keys.map((key) => row(key, randomBytes(1_200_000).toString('base64'))),
  );
  const parts: string[][] = [];
  for await (const part of rawRowsInParts(scope, 's', [...keys, 'd'])) parts.push(part.map(({ key }) => key));
  expect(parts).toEqual([['a', 'b'], ['c']]);
});
