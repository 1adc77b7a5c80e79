import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  deleteRawRows,
  forgetRowProblems,
  type RowProblem,
  rowProblems,
  saveRawRows,
  saveRowProblems,
} from '../index.ts';

const { freshScope } = await testDatabase();

const row = (key: string, value: unknown = 1) => ({ key, row: { value } });
const problem = (field: string, example: string | null, count = 1): RowProblem => ({
  ...{ entity: 'Currency', field, reason: 'not_allowed', message: 'The value does not match.', count, example },
});

/** Saves rows, three of which have problems. */
async function troubled() {
  const scope = freshScope();
  await saveRawRows(scope, 's', [row('a'), row('b'), row('c'), row('d')]);
  await saveRawRows(scope, 't', [row('a')]);
  await saveRowProblems(
    scope,
    's',
    new Map([
      ['a', [problem('isoCode', 'Emirati "Dirham"'), problem('name', null)]],
      ['b', [problem('isoCode', 'Afghani', 2)]],
    ]),
  );
  await saveRowProblems(scope, 't', new Map([['a', [problem('isoCode', 'x')]]]));
  const counts = async (stream?: string) =>
    (await rowProblems(scope, stream)).map((each) => [each.stream, each.field, each.count, each.example]);
  return { scope, counts };
}

test('values that could not be used are counted by stream and field, each with an example', async () => {
  const { scope, counts } = await troubled();
  expect(await counts()).toEqual([
    ['s', 'isoCode', 3, 'Afghani'],
    ['s', 'name', 1, null],
    ['t', 'isoCode', 1, 'x'],
  ]);
  expect(await counts('t')).toEqual([['t', 'isoCode', 1, 'x']]);
  expect(await rowProblems(freshScope())).toEqual([]);
  expect(await rowProblems(scope, 's')).toContainEqual({ stream: 's', ...problem('name', null) });
});

test('a row that is saved again, derived again or deleted no longer counts', async () => {
  const { scope, counts } = await troubled();
  await saveRawRows(scope, 's', [row('a', 2)]);
  expect(await counts('s')).toEqual([['s', 'isoCode', 2, 'Afghani']]);
  await forgetRowProblems(scope, 's', ['b', 'c']);
  expect(await counts('s')).toEqual([]);
  await deleteRawRows(scope, 't', ['a']);
  expect(await counts()).toEqual([]);
});
