import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { maker } from '../../test/gadget.ts';
import { page, saveRecords } from '../index.ts';
import { recordsState } from './records-state.ts';

const { freshScope, admin } = await testDatabase();

/** Database connections that wait for a table that the test has locked. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query('select count(*)::int as count from pg_locks where not granted');
  return rows[0].count;
}

test('the state changes with each change of a record', async () => {
  const scope = freshScope();
  const states = [await recordsState(scope)];
  for (const code of ['a', 'b', 'c']) {
    await saveRecords(scope, maker, [{ _source: 'makers', _idValue: code, values: { name: code }, references: {} }]);
    states.push(...(await Promise.all([recordsState(scope), recordsState(scope)])));
  }
  const [none, a, , b, , c] = states;
  expect(new Set([none, a, b, c]).size).toBe(4);
  expect(states).toEqual([none, a, a, b, b, c, c]);
});

test('the state stays the same when records are saved that have not changed', async () => {
  const scope = freshScope();
  const save = () =>
    saveRecords(scope, maker, [{ _source: 'makers', _idValue: 'a', values: { name: 'a' }, references: {} }]);
  await save();
  const state = await recordsState(scope);
  expect((await save()).unchanged).toBe(1);
  expect(await recordsState(scope)).toBe(state);
});

test('a page has the state, which is empty before the first change', async () => {
  const scope = freshScope();
  const stateOfPage = async () => (await page(scope, maker, { conditions: [], sort: [], limit: 1 })).state;
  expect(await stateOfPage()).toBe('');
  await saveRecords(scope, maker, [{ _source: 'makers', _idValue: 'a', values: { name: 'a' }, references: {} }]);
  const state = await stateOfPage();
  expect(state).not.toBe('');
  expect(state).toBe(await recordsState(scope));
});

test('a page that is read in a transaction has the current state', async () => {
  const query = { conditions: [], sort: [], limit: 1 };
  const scope = freshScope();
  await saveRecords(scope, maker, [{ _source: 'makers', _idValue: 'a', values: { name: 'a' }, references: {} }]);
  const { state, count } = await scope.transaction((inner) => page(inner, maker, query));
  expect([state, count]).toEqual([await recordsState(scope), 1]);
});

test('calls that wait at the same time share a query, which starts after the one in progress', async () => {
  const scope = freshScope();
  await admin.query('begin; lock table unified.change_log_bounds in access exclusive mode');
  const first = recordsState(scope);
  await expect.poll(waiting).toBe(1);
  const others = Array.from({ length: 10 }, () => recordsState(scope));
  expect(new Set(others).size).toBe(1);
  expect(others).not.toContain(first);
  await admin.query('commit');
  expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 11 }, () => ''));
});

test('a failed query fails only the calls that share it', async () => {
  const scope = freshScope();
  await admin.query('alter table unified.change_log_bounds rename to change_log_bounds_away');
  const failed = recordsState(scope);
  const next = recordsState(scope);
  await expect(failed).rejects.toThrow('does not exist');
  await expect(next).rejects.toThrow('does not exist');
  await admin.query('alter table unified.change_log_bounds_away rename to change_log_bounds');
  expect(await recordsState(scope)).toBe('');
});
