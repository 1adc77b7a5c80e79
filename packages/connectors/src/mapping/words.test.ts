import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Row } from '../driver.ts';
import { compileMapping } from './compile.ts';
import type { WordDefinition } from './definition.ts';

const parse = (text: string) => load(text) as WordDefinition;

const file = 'thing.yaml';
const mappingOf = (field: WordDefinition, more: object = {}) =>
  compileMapping({ entity: 'Thing', stream: 'things', fields: { field }, ...more }, { file });

function read(field: WordDefinition, row: Row): unknown {
  const record = mappingOf(field).read({ key: '1', row });
  return record && ('field' in record.values ? record.values.field : record.references.field);
}

function write(field: WordDefinition, value: unknown) {
  return mappingOf(field).write({ field: value }, { op: 'update' });
}

describe('each word, in both directions', () => {
  const target = { id: 'u', _idValue: '7', code: 'EUR', _displayValue: 'Euro', entity: 'Currency' };
  const currency = (by: string, value: string) => ({ entity: 'Currency', by, value });
  const words: { word: WordDefinition; row: Row; ours: unknown; back?: Row; from?: unknown }[] = [
    { word: 'A', row: { A: 'x' }, ours: 'x' },
    { word: 'a.b.c', row: { a: { b: { c: 5 } } }, ours: 5 },
    { word: 'a.1', row: { a: [1, 2] }, ours: 2, back: { a: { 1: 2 } } },
    { word: { text: 'A' }, row: { A: ' x ' }, ours: 'x', back: { A: 'x' } },
    { word: { text: 'A' }, row: { A: 42 }, ours: '42', back: { A: '42' } },
    { word: { number: 'A' }, row: { A: '358.00' }, ours: 358, back: { A: 358 } },
    { word: { number: { from: 'A', decimal: ',' } }, row: { A: '1.234,50' }, ours: 1234.5, back: { A: '1234,5' } },
    { word: { number: { from: 'A', decimal: ',' } }, row: { A: '1.234,50-' }, ours: -1234.5, back: { A: '-1234,5' } },
    { word: 'Art\\.-Nr\\.', row: { 'Art.-Nr.': 'A 1' }, ours: 'A 1', back: { 'Art.-Nr.': 'A 1' } },
    { word: { number: { from: 'A', scale: 2 } }, row: { A: 1999 }, ours: 19.99 },
    { word: { number: { from: 'A', scale: 3 } }, row: { A: '1005' }, ours: 1.005, back: { A: 1005 } },
    { word: { number: { from: 'A', scale: 2 } }, row: { A: 9999999999999998 }, ours: 99999999999999.98 },
    { word: { number: { from: 'A', scale: 8 } }, row: { A: 10 }, ours: 1e-7 },
    { word: { number: { from: 'A', scale: -2 } }, row: { A: '0.075' }, ours: 7.5, back: { A: 0.075 } },
    { word: { number: { from: 'A', negated: true } }, row: { A: '-40.00' }, ours: 40, back: { A: -40 } },
    { word: { number: { from: 'A', negated: true } }, row: { A: 0 }, ours: 0 },
    { word: { calculate: { operation: 'add', of: ['A', { const: 0.2 }] } }, row: { A: 0.1 }, ours: 0.3 },
    {
      word: { calculate: { operation: 'divide', of: ['A', { const: 3 }], decimals: 2 } },
      row: { A: 10 },
      ours: 3.33,
      back: { A: 9.99 },
    },
    { word: { calculate: { operation: 'subtract', of: ['A', { const: 5 }] } }, row: { A: null }, ours: null },
    { word: { boolean: 'A' }, row: { A: true }, ours: true },
    { word: { boolean: { from: 'A', true: ['J', 'X'], false: ['N'] } }, row: { A: 'X' }, ours: true, back: { A: 'J' } },
    { word: { boolean: { from: 'A', true: ['J'], false: ['N'] } }, row: { A: 'N' }, ours: false },
    { word: { boolean: { from: 'A', false: ['X'] } }, row: { A: 'X' }, ours: false },
    { word: { boolean: { from: 'A', true: [1], false: [0] } }, row: { A: '1' }, ours: true, back: { A: 1 } },
    { word: { flags: { one: 'A', two: 'B' } }, row: { A: true, B: true }, ours: ['one', 'two'] },
    {
      word: { flags: { one: 'A', two: { boolean: { from: 'B', true: ['J'], false: ['N'] } } } },
      row: { A: false, B: 'J' },
      ours: ['two'],
    },
    { word: { flags: { one: 'A' } }, row: { A: false }, ours: [] },
    { word: { flag: { names: { one: 'A', two: 'B' } } }, row: { A: true, B: false }, ours: 'one' },
    { word: { flag: { names: { one: 'A', two: 'B' } } }, row: { A: false, B: false }, ours: null },
    {
      word: { flag: { names: { one: 'A', two: 'B' }, otherwise: 'three' } },
      row: { A: true, B: true },
      ours: 'one',
      back: { A: true, B: false },
    },
    {
      word: { flag: { names: { one: 'A', two: 'B' }, otherwise: 'three' } },
      row: { A: false, B: false },
      ours: 'three',
    },
    { word: { key: ['A', 'B'] }, row: { A: '1', B: '249' }, ours: '1/249' },
    { word: { key: ['A', 'B'] }, row: { A: 'x/y', B: '5%' }, ours: 'x%2Fy/5%25' },
    { word: { key: ['A', 'B'] }, row: { A: 'N', B: '' }, ours: 'N/' },
    { word: { key: ['A', 'B'] }, row: { A: '', B: ' 9' }, ours: '/ 9' },
    { word: { date: 'A' }, row: { A: '2026-11-20' }, ours: '2026-11-20' },
    { word: { date: 'A' }, row: { A: '2026-11-20T00:00:00.000+05:45' }, ours: '2026-11-20', back: { A: '2026-11-20' } },
    {
      word: { datetime: 'A' },
      row: { A: '2026-11-20T01:00:00.000-08:00' },
      ours: '2026-11-20T09:00:00.000Z',
      back: { A: '2026-11-20T09:00:00.000Z' },
    },
    {
      word: { date: 'A' },
      row: { A: '9999-12-31T17:00:00.000 America/Denver' },
      ours: '9999-12-31',
      back: { A: '9999-12-31' },
    },
    ...[
      ['2026-11-30 23:00:00', '2026-12-01'],
      ['2026-12-01T07:00:00.000Z', '2026-12-01'],
      ['2026-12-01 10:59:00', '2026-12-01'],
      ['2026-12-01', '2026-12-01'],
    ].map(([A, ours]) => ({
      ...{ word: { date: { from: 'A', nearest: true } } satisfies WordDefinition, row: { A }, ours, back: { A: ours } },
    })),
    { word: { date: 'A' }, row: { A: '2024-02-29' }, ours: '2024-02-29' },
    { word: { date: 'A' }, row: { A: '2000-02-29' }, ours: '2000-02-29' },
    { word: { date: { from: 'A', format: 'DD.MM.YYYY' } }, row: { A: '20.11.2026' }, ours: '2026-11-20' },
    {
      word: { date: { from: 'A', format: 'YYYYMMDD' } },
      row: { A: 20261120 },
      ours: '2026-11-20',
      back: { A: '20261120' },
    },
    { word: { datetime: 'A' }, row: { A: '2026-11-20T10:00:00.000Z' }, ours: '2026-11-20T10:00:00.000Z' },
    {
      word: { datetime: 'A' },
      row: { A: '2026-11-20 10:00:00.25+01' },
      ours: '2026-11-20T09:00:00.250Z',
      back: { A: '2026-11-20T09:00:00.250Z' },
    },
    {
      word: { datetime: { from: 'A', format: 'YYYYMMDDhhmmss' } },
      row: { A: '20261120093000' },
      ours: '2026-11-20T09:30:00Z',
    },
    { word: { datetime: { from: 'A', format: 'epoch' } }, row: { A: 1795167000 }, ours: '2026-11-20T09:30:00.000Z' },
    {
      word: { lookup: { from: 'A', table: { 10: 'draft', 20: 'open' } } },
      row: { A: 20 },
      ours: 'open',
      back: { A: '20' },
    },
    { word: { coalesce: ['A', 'B'] }, row: { A: null, B: 2 }, ours: 2, back: { A: 2 } },
    { word: { coalesce: [{ const: '' }, 'B'] }, row: { B: 2 }, ours: '', from: 'x', back: { B: 'x' } },
    { word: { join: { each: 'A', separator: ', ' } }, row: { A: ['x', 'y'] }, ours: 'x, y' },
    { word: { split: { from: 'A', separator: ';' } }, row: { A: 'x; y;' }, ours: ['x', 'y'], back: { A: 'x;y' } },
    {
      word: { ref: { entity: 'Currency', by: 'code', value: 'A' } },
      row: { A: 'EUR' },
      ours: currency('code', 'EUR'),
      from: target,
    },
    {
      word: { ref: { entity: 'Currency', by: '_idValue', value: 'A' } },
      row: { A: 7 },
      ours: currency('_idValue', '7'),
      from: target,
      back: { A: '7' },
    },
    {
      word: { ref: { entity: 'Currency', by: '_idValue', value: { key: ['A'] } } },
      row: { A: 'E/1 %x' },
      ours: currency('_idValue', 'E%2F1 %25x'),
      from: { ...target, _idValue: 'E%2F1 %25x' },
      back: { A: 'E/1 %x' },
    },
    {
      word: { ref: { entity: 'Currency', by: '_idValue', value: { key: ['A', 'B'] } } },
      row: { A: 'N', B: ' ' },
      ours: currency('_idValue', 'N/ '),
      from: { ...target, _idValue: 'N/ ' },
    },
    {
      word: {
        ref: { entity: { lookup: { from: 'T', table: { W: 'Currency', L: 'Country' } } }, by: 'code', value: 'A' },
      },
      row: { T: 'W', A: 'EUR' },
      ours: currency('code', 'EUR'),
      from: target,
    },
    {
      word: { refs: { entity: 'Currency', by: 'code', each: { split: { from: 'A', separator: ' ' } } } },
      row: { A: 'EUR USD' },
      ours: [currency('code', 'EUR'), currency('code', 'USD')],
      from: [target, { ...target, code: 'USD' }],
    },
    { word: { list: { to: 'A', fields: { n: 'N' } } }, row: { A: [{ N: 1 }, { N: 2 }] }, ours: [{ n: 1 }, { n: 2 }] },
    {
      word: parse('list: { from: A, fields: { type: { lookup: { from: T, table: { M: mobile } } }, value: W } }'),
      row: { A: [{ T: 'M', W: '1' }] },
      ours: [{ type: 'mobile', value: '1' }],
    },
    { word: parse('list: { from: A, fields: { value: W } }'), row: { A: [] }, ours: [] },
    {
      word: parse('list: { from: A, fields: { currency: { ref: { entity: Currency, by: code, value: W } } } }'),
      row: { A: [{ W: 'EUR' }, { W: null }] },
      ours: [{ currency: currency('code', 'EUR') }, { currency: null }],
      from: [{ currency: target }, { currency: null }],
    },
    {
      word: { object: { fields: { city: 'ORT', line1: 'STR' } } },
      row: { ORT: 'Ulm', STR: null },
      ours: { city: 'Ulm', line1: null },
    },
    { word: { read: { const: 1 }, write: 'B' }, row: { B: 2 }, ours: 1, from: 3, back: { B: 3 } },
  ];

  test.each(words)('$word reads $row', ({ word, row, ours }) => {
    expect(read(word, row)).toEqual(ours);
  });

  const readOnly: { word: WordDefinition; row: Row; ours: unknown }[] = [
    { word: { calculate: { operation: 'multiply', of: ['A', 'B'] } }, row: { A: '0.1', B: 3 }, ours: 0.3 },
    { word: { calculate: { operation: 'multiply', of: ['A', 'B'] } }, row: { A: 1, B: ' ' }, ours: null },
    { word: { calculate: { operation: 'divide', of: ['A', 'B'] } }, row: { A: 1, B: 0 }, ours: null },
    { word: { substring: { from: 'A', start: 2, length: 3 } }, row: { A: 'DE 123' }, ours: 'E 1' },
    { word: { substring: { from: 'A', start: -3 } }, row: { A: 'DE-123' }, ours: '123' },
    { word: { substring: { from: 'A', start: 9 } }, row: { A: 'DE-123' }, ours: null },
  ];

  test.each(readOnly)('$word reads $row, and cannot be written', ({ word, row, ours }) => {
    expect(read(word, row)).toEqual(ours);
    expect(write(word, 1)).toEqual({ values: {}, unsupported: ['field'] });
  });

  test('the time of a write is sent with every create and change', () => {
    const { write: send } = mappingOf('A', {
      writes: ['create', 'update'],
      onCreate: { created: { now: 'date' } },
      onWrite: { changed: { now: 'datetime' } },
    });
    const changed = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(send({ field: 1 }, { op: 'create' }).values).toEqual({ A: 1, created, changed });
    expect(send({ field: 1 }, { op: 'update' }).values).toEqual({ A: 1, changed });
    expect(send({}, { op: 'delete' }).values).toEqual({});
  });

  test.each(words)('$word writes $ours', ({ word, row, ours, from = ours, back = row }) => {
    expect(write(word, from)).toEqual({ values: back, unsupported: [] });
  });
});

test.each([null, undefined, '', '  '])('otherwise of a lookup does not replace %o, which is not a value', (A) => {
  const word = { lookup: { from: 'A', table: { 1: 'open' }, otherwise: 'closed' } };
  expect(read(word, { A })).toBeNull();
  expect(read(word, { A: 2 })).toBe('closed');
  expect(read({ coalesce: [word, { const: 'draft' }] }, { A })).toBe('draft');
});

describe.each(['', ' ', '   '])('blank text that is listed as "%s"', (listed) => {
  test.each(['', ' ', '  '])('is a listed value where the row has "%s"', (A) => {
    const row = { A, B: 'b' };
    expect(read({ lookup: { from: 'A', table: { [listed]: 'none' }, otherwise: 'closed' } }, row)).toBe('none');
    expect(read({ boolean: { from: 'A', true: [listed], false: ['X'] } }, row)).toBe(true);
    expect(read({ boolean: { from: 'A', true: ['X'], false: [listed] } }, row)).toBe(false);
    expect(read(parse(`when: { if: { path: A, equals: '${listed}' }, then: B }`), row)).toBe('b');
    expect(read(parse(`when: { if: { path: A, in: [X, '${listed}'] }, then: B }`), row)).toBe('b');
  });

  test('is not null', () => {
    expect(read({ lookup: { from: 'A', table: { [listed]: 'none' } } }, { A: null })).toBeNull();
    expect(read(parse(`when: { if: { path: A, equals: '${listed}' }, then: B }`), { A: null, B: 'b' })).toBeNull();
  });

  test('is written as it is listed', () => {
    const word = { lookup: { from: 'A', table: { [listed]: 'none', C: 'lot' } } };
    expect(write(word, 'none').values).toEqual({ A: listed });
    expect(write({ boolean: { from: 'A', true: [listed], false: ['X'] } }, true).values).toEqual({ A: listed });
  });
});

test('coalesce treats blank text as no value, unless the mapping lists it', () => {
  expect(read({ coalesce: ['A', 'B'] }, { A: ' ', B: 'b' })).toBe('b');
  expect(read({ coalesce: ['A', { const: '' }] }, { A: ' ' })).toBe('');
  expect(read({ coalesce: [{ lookup: { from: 'A', table: { X: '' } } }, 'B'] }, { A: 'X', B: 'b' })).toBe('');
});

test('a lookup and a boolean that list blank text twice are refused', () => {
  const lookup = { lookup: { from: 'A', table: { '': 'none', ' ': 'lot' } } };
  expect(() => read(lookup, {})).toThrow('lists blank text twice');
  expect(() => read({ boolean: { from: 'A', true: [''], false: [' '] } }, {})).toThrow('is both true and false');
});

describe('words that only read', () => {
  test.each<{ word: WordDefinition; row: Row; ours: unknown }>([
    { word: { const: 5 }, row: {}, ours: 5 },
    { word: { concat: { parts: ['A', 'B', 'C'], separator: ' ' } }, row: { A: 'x', B: '', C: 7 }, ours: 'x 7' },
    { word: { concat: { parts: ['A'] } }, row: {}, ours: null },
    {
      word: parse('when: { if: { path: A, equals: 1 }, then: B, else: C }'),
      row: { A: '1', B: 'b', C: 'c' },
      ours: 'b',
    },
    { word: parse('when: { if: { path: A, in: [1, 2] }, then: B }'), row: { A: 3, B: 'b' }, ours: null },
    { word: parse('when: { if: { path: A, sameAs: C }, then: B }'), row: { A: 2, B: 'b', C: '2' }, ours: 'b' },
    { word: parse('when: { if: { path: A, sameAs: C }, then: B }'), row: { A: 2, B: 'b', C: 3 }, ours: null },
    { word: parse('when: { if: { path: A, present: true }, then: A, else: { const: 1 } }'), row: { A: 0 }, ours: 0 },
    { word: parse('when: { if: { path: A, present: true }, then: A, else: { const: 1 } }'), row: {}, ours: 1 },
    {
      word: { refs: { entity: 'Item', by: 'code', each: 'A', value: 'B' } },
      row: { A: [{ B: 1 }, {}] },
      ours: [{ entity: 'Item', by: 'code', value: '1' }],
    },
    { word: { read: 'A' }, row: { A: 1 }, ours: 1 },
  ])('$word reads $row and refuses a value', ({ word, row, ours }) => {
    expect(read(word, row)).toEqual(ours);
    expect(write(word, 'x')).toEqual({ values: {}, unsupported: ['field'] });
  });
});

test.each<{ format: string | undefined; written: unknown }>([
  { format: undefined, written: '2026-11-20T09:30:00.000Z' },
  { format: 'YYYYMMDDhhmmss', written: '20261120093000' },
  { format: 'epoch', written: 1795167000 },
])('a timestamp with a lower-case t and z is written in the format $format', ({ format, written }) => {
  const word: WordDefinition = { datetime: format === undefined ? 'A' : { from: 'A', format } };
  expect(write(word, '2026-11-20t09:30:00z').values).toEqual({ A: written });
});

test.each([
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T18:59:60.5-05:00', '2017-01-01T00:00:00.000Z'],
  ['0201-02-11T05:38:50-19:59', '0201-02-12T01:37:50.000Z'],
  ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.000Z'],
  ['0001-01-01T00:00:00+01:00', '0001-01-01T00:00:00.000Z'],
])('the timestamp %s, which databases refuse, is written as %s', (sent, written) => {
  expect(write({ datetime: 'A' }, sent).values).toEqual({ A: written });
});

describe('invalid values', () => {
  test.each<{ word: WordDefinition; value: unknown }>([
    { word: { number: { from: 'A', decimal: ',' } }, value: 'abc' },
    { word: { number: 'A' }, value: '' },
    { word: { number: 'A' }, value: '1,2,x' },
    { word: { date: { from: 'A', format: 'YYYYMMDD' } }, value: '00000000' },
    { word: { date: { from: 'A', format: 'DD.MM.YYYY' } }, value: '31.02.2026' },
    { word: { date: { from: 'A', format: 'DD.MM.YYYY' } }, value: '29.02.1900' },
    { word: { date: { from: 'A', format: 'DD.MM.YYYY' } }, value: '31.11.2026' },
    { word: { date: { from: 'A', format: 'DD.MM.YYYY' } }, value: '20-11-2026' },
    { word: { datetime: 'A' }, value: 'yesterday' },
    { word: { datetime: { from: 'A', format: 'epoch' } }, value: 'x' },
    { word: { lookup: { from: 'A', table: { x: 1 } } }, value: 'toString' },
    { word: { boolean: { from: 'A', true: ['J'], false: ['N'] } }, value: '?' },
    { word: { text: 'A' }, value: {} },
    { word: { ref: { entity: 'X', by: 'code', value: 'A' } }, value: ' ' },
    { word: { key: ['A'] }, value: ' ' },
    { word: { key: ['A', 'B'] }, value: 'x' },
    { word: { datetime: 'A' }, value: '9999-12-31T17:00:00.000-07:00' },
    { word: { datetime: 'A' }, value: '0001-01-01T00:00:00.000+01:00' },
    { word: { datetime: 'A' }, value: '0000-01-01T00:00:00Z' },
    { word: { datetime: { from: 'A', format: 'epoch' } }, value: 253402300800 },
    { word: { date: 'A' }, value: '0044-03-15 00:00:00 BC' },
    { word: { date: 'A' }, value: '0044-03-15 BC' },
    { word: { date: 'A' }, value: '10000-01-01' },
  ])('$word reads $value as null', ({ word, value }) => {
    expect(read(word, { A: value })).toBeNull();
  });

  test.each<{ word: WordDefinition; value: unknown }>([
    { word: { lookup: { from: 'A', table: { x: 1 } } }, value: 2 },
    { word: { number: 'A' }, value: 'x' },
    { word: { date: 'A' }, value: '2026-02-30' },
    { word: { boolean: { from: 'A', true: ['J'] } }, value: false },
    { word: { ref: { entity: 'Vendor', by: 'code', value: 'A' } }, value: { code: 'x', entity: 'Customer' } },
    {
      word: parse('ref: { entity: { lookup: { from: T, table: { L: Vendor } } }, by: code, value: A }'),
      value: { code: 'x', entity: 'Customer' },
    },
  ])('$word reports $value as unsupported', ({ word, value }) => {
    expect(write(word, value)).toEqual({ values: {}, unsupported: ['field'] });
  });

  test('inherited properties are not read', () => {
    expect(read('toString', {})).toBeNull();
    expect(read('a.length', { a: 'text' })).toBeNull();
  });
});

describe('limits', () => {
  test('eight words deep is allowed', () => {
    const nested = (depth: number): WordDefinition => (depth === 0 ? 'A' : { text: { from: nested(depth - 1) } });
    expect(read(nested(8), { A: 'x' })).toBe('x');
  });
});
