import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Row } from '../driver.ts';
import { compileMapping } from './compile.ts';

/** `Unit` is identified by one column, `Bin` by several. */
const mappingOf = (word: string, singleKeys: readonly string[] = ['Unit']) =>
  compileMapping(
    { entity: 'Thing', stream: 'things', fields: { field: load(word) } },
    { file: 'thing.yaml', singleKeys: new Set(singleKeys) },
  );
const referenceOf = (word: string, row: Row) => mappingOf(word).read({ key: '1', row })?.references.field;
const written = (word: string, field: unknown) => mappingOf(word).write({ field }, { op: 'update' });

const keys = [
  { column: 'E/1', _idValue: 'E%2F1' },
  { column: '5 %', _idValue: '5 %25' },
  { column: 'a%2Fb', _idValue: 'a%252Fb' },
];

describe('a reference by the only key column of its target', () => {
  test.each(
    keys.flatMap((key) =>
      ['A', '{ text: A }', '{ key: [A] }', '{ coalesce: [A, B] }', '{ read: A, write: A }'].map((value) => ({
        ...key,
        value,
      })),
    ),
  )('$value with "$column" is "$_idValue", and is written back as it was', ({ column, _idValue, value }) => {
    const word = `ref: { entity: Unit, by: _idValue, value: ${value} }`;
    expect(referenceOf(word, { A: column })).toEqual({ entity: 'Unit', by: '_idValue', value: _idValue });
    expect(written(word, { entity: 'Unit', _idValue })).toEqual({ values: { A: column }, unsupported: [] });
  });

  test('escapes both branches of `when`, and omits empty values', () => {
    const word =
      '{ ref: { entity: Unit, by: _idValue, value: { when: { if: { path: A, present: true }, then: A, else: B } } } }';
    expect(referenceOf(word, { A: 'x/y' })).toMatchObject({ value: 'x%2Fy' });
    expect(referenceOf(word, { B: 'x/y' })).toMatchObject({ value: 'x%2Fy' });
    expect(referenceOf(word, { B: ' ' })).toBeNull();
  });

  test('is cleared with null', () => {
    expect(written('{ ref: { entity: Unit, by: _idValue, value: A } }', null)).toEqual({
      values: { A: null },
      unsupported: [],
    });
  });

  test('by code is the unchanged code', () => {
    expect(referenceOf('{ ref: { entity: Unit, by: code, value: A } }', { A: 'E/1' })).toMatchObject({ value: 'E/1' });
  });
});

test('a reference to a target with several key columns uses a column as the joined key', () => {
  const word = '{ ref: { entity: Bin, by: _idValue, value: A } }';
  expect(referenceOf(word, { A: '700004/1' })).toMatchObject({ value: '700004/1' });
  expect(written(word, { entity: 'Bin', _idValue: '700004/1' }).values).toEqual({ A: '700004/1' });
});

test('a reference to one of several kinds uses the keys of the kind in the row', () => {
  const word = '{ ref: { entity: { lookup: { from: T, table: { U: Unit, B: Bin } } }, by: _idValue, value: A } }';
  expect(referenceOf(word, { T: 'U', A: '7/1' })).toEqual({ entity: 'Unit', by: '_idValue', value: '7%2F1' });
  expect(referenceOf(word, { T: 'B', A: '7/1' })).toEqual({ entity: 'Bin', by: '_idValue', value: '7/1' });
  expect(written(word, { entity: 'Unit', _idValue: '7%2F1' }).values).toEqual({ T: 'U', A: '7/1' });
  expect(written(word, { entity: 'Bin', _idValue: '7/1' }).values).toEqual({ T: 'B', A: '7/1' });
});

describe('references to several records by their only key column', () => {
  test('use the parts of a text as values of that column, in both directions', () => {
    const word = "{ refs: { entity: Unit, by: _idValue, each: { split: { from: A, separator: ' ' } } } }";
    expect(referenceOf(word, { A: 'E/1 5% x' })).toMatchObject([{ value: 'E%2F1' }, { value: '5%25' }, { value: 'x' }]);
    const targets = [
      { entity: 'Unit', _idValue: 'E%2F1' },
      { entity: 'Unit', _idValue: '5%25' },
    ];
    expect(written(word, targets)).toEqual({ values: { A: 'E/1 5%' }, unsupported: [] });
  });

  test('use a property of objects as a value of that column', () => {
    const word = '{ refs: { entity: Unit, by: _idValue, each: A, value: no } }';
    expect(referenceOf(word, { A: [{ no: 'E/1' }] })).toMatchObject([{ value: 'E%2F1' }]);
  });

  test('use a list as keys from the driver', () => {
    expect(referenceOf('{ refs: { entity: Unit, by: _idValue, each: A } }', { A: ['E%2F1'] })).toMatchObject([
      { value: 'E%2F1' },
    ]);
  });
});

test('a list of lines escapes the references in it', () => {
  const word = '{ list: { from: A, fields: { unit: { ref: { entity: Unit, by: _idValue, value: U } } } } }';
  expect(mappingOf(word).read({ key: '1', row: { A: [{ U: 'E/1' }] } })?.values.field).toEqual([
    { unit: { entity: 'Unit', by: '_idValue', value: 'E%2F1' } },
  ]);
});

test('records are derived again when the number of key columns of a target changes', () => {
  const word = '{ ref: { entity: Bin, by: _idValue, value: A } }';
  expect(mappingOf(word, ['Bin']).hash).not.toBe(mappingOf(word, []).hash);
  expect(mappingOf(word, ['Unit']).hash).toBe(mappingOf(word, []).hash);
});
