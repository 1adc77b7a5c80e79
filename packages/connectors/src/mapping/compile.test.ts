import { describe, expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import type { WordDefinition } from './definition.ts';

const file = 'thing.yaml';

describe('a record', () => {
  const mapping = compileMapping(
    {
      entity: 'Thing',
      stream: 'things',
      where: [
        { path: 'KIND', in: ['A', 'B'] },
        { path: 'GONE', present: false },
      ],
      deleted: { datetime: 'DEL' },
      created: { datetime: 'CRE' },
      fields: { code: { text: 'NR' }, name: 'NAME', owner: { ref: { entity: 'Owner', by: 'code', value: 'OWN' } } },
    },
    { file },
  );

  test('carries source, key, values, references and deletion', () => {
    expect(
      mapping.read({
        key: 'k',
        row: { KIND: 'A', NR: 1, NAME: 'One', OWN: 'o', CRE: '2026-01-01', DEL: '2026-02-01' },
      }),
    ).toEqual({
      _source: 'things',
      _idValue: 'k',
      values: { code: '1', name: 'One', _displayValue: 'One', _createdAt: '2026-01-01T00:00:00.000Z' },
      references: { owner: { entity: 'Owner', by: 'code', value: 'o' } },
      deletedAt: '2026-02-01T00:00:00.000Z',
    });
  });

  test('falls back to the key for code and label', () => {
    const record = mapping.read({ key: 'k', row: { KIND: 'B' } });
    expect(record?.values).toMatchObject({ code: 'k', name: null, _displayValue: 'k' });
    expect(record?.deletedAt).toBeNull();
  });

  test.each([{ KIND: 'C' }, { KIND: 'A', GONE: 'x' }, {}])('is not made of %o', (row) => {
    expect(mapping.read({ key: 'k', row })).toBeNull();
  });
});

describe('a request', () => {
  const mapping = compileMapping(
    {
      entity: 'Thing',
      stream: 'things',
      fields: {
        name: 'NAME',
        lines: { write: { list: { to: 'POS', fields: { quantity: { number: { from: 'QTY', scale: 2 } } } } } },
      },
      onCreate: { KIND: { const: 'A' }, NAME: { const: 'unnamed' }, 'meta.by': 'owner.code' },
      actions: {
        cancel: {
          act: 'storno',
          values: {
            TEXT: { coalesce: ['reason._displayValue', 'note'] },
            DAY: { date: { from: 'at', format: 'YYYYMMDD' } },
          },
        },
        'set-status': { act: { lookup: { from: 'category', table: { storno: 'cancelled', open: 'open' } } } },
        receive: {
          act: 'book',
          values: { POS: { list: { from: 'lines', fields: { NR: 'line._idValue', QTY: 'quantity' } } } },
        },
      },
    },
    { file },
  );

  test('adds what a create needs unless the request says it', () => {
    const { values } = mapping.write({ name: 'x', owner: undefined }, { op: 'create' });
    expect(values).toEqual({ NAME: 'x', KIND: 'A', meta: { by: null } });
    expect(mapping.write({ name: 'x' }, { op: 'update' }).values).toEqual({ NAME: 'x' });
  });

  test('names what the system has no place for, also inside lines', () => {
    expect(mapping.write({ colour: 1, lines: [{ quantity: 1.5, colour: 2 }] }, { op: 'update' })).toEqual({
      values: { POS: [{ QTY: 150 }] },
      unsupported: ['colour', 'lines.colour'],
    });
  });

  test('asks for an action in the words of the system', () => {
    expect(mapping.actions.cancel?.write({ note: 'why', at: '2026-11-20T23:30:00-02:00' })).toEqual({
      act: 'storno',
      values: { TEXT: 'why', DAY: '20261121' },
      unsupported: [],
    });
    expect(mapping.actions.receive?.write({ lines: [{ line: { _idValue: '4/1' }, quantity: 2 }] }).values).toEqual({
      POS: [{ NR: '4/1', QTY: 2 }],
    });
  });

  test('chooses the action by the request, and says when there is none', () => {
    expect(mapping.actions['set-status']?.write({ category: 'cancelled' }).act).toBe('storno');
    expect(mapping.actions['set-status']?.write({ category: 'draft' }).act).toBeNull();
  });
});

describe('a definition that cannot be used is refused, naming file, field and word', () => {
  const nested = (depth: number): WordDefinition => (depth === 0 ? 'A' : { text: { from: nested(depth - 1) } });
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, 'A']));
  test.each<[string, object, RegExp]>([
    ['an unknown word', { fields: { a: { eval: 'x' } } }, /thing\.yaml: fields\.a: unknown word or option "eval"/],
    [
      'a missing option',
      { fields: { a: { ref: { entity: 'X', value: 'A' } } } },
      /fields\.a\.ref: must have required property 'by'/,
    ],
    [
      'a wrong option',
      { fields: { a: { refs: { entity: 'X', by: 'id', each: 'A' } } } },
      /fields\.a\.refs\.by: .*_idValue, code/,
    ],
    [
      'two words at once',
      { fields: { a: { path: 'A', text: 'B' } } },
      /fields\.a: one word is wanted, found path and text/,
    ],
    [
      'a dangerous path',
      { fields: { a: 'x.__proto__.y' } },
      /fields\.a: path "x\.__proto__\.y" may not contain "__proto__"/,
    ],
    [
      'a dangerous condition',
      { where: { path: 'constructor', equals: 1 }, fields: { a: 'A' } },
      /where: path "constructor"/,
    ],
    ['a dangerous target', { onCreate: { 'a.prototype': 'A' }, fields: { a: 'A' } }, /onCreate\.a\.prototype/],
    [
      'a dangerous name of a part',
      { fields: { a: { object: { fields: JSON.parse('{"__proto__":"x"}') } } } },
      /fields\.a\.object: path "__proto__"/,
    ],
    ['an empty name', { fields: { a: 'x..y' } }, /fields\.a: path "x\.\.y" has an empty name/],
    ['too deep nesting', { fields: { a: nested(9) } }, /more than 8 deep/],
    ['too many fields', { fields: many }, /must NOT have more than 200 properties/],
    [
      'a format without a year',
      { fields: { a: { date: { from: 'A', format: 'DD.MM.' } } } },
      /fields\.a\.date: format "DD\.MM\." needs YYYY/,
    ],
    [
      'a value both true and false',
      { fields: { a: { boolean: { from: 'A', true: [1], false: ['1'] } } } },
      /fields\.a\.boolean: "1" is both/,
    ],
    [
      'references among values',
      { fields: { a: { coalesce: [{ ref: { entity: 'X', by: 'code', value: 'A' } }, 'B'] } } },
      /mixes references/,
    ],
    [
      'a reference over a request',
      { fields: { a: 'A' }, onCreate: { b: { ref: { entity: 'X', by: 'code', value: 'A' } } } },
      /onCreate\.b: .*reason\.code/,
    ],
  ])('%s', (_, definition, message) => {
    expect(() =>
      compileMapping({ entity: 'Thing', stream: 'things', fields: { a: 'A' }, ...definition }, { file }),
    ).toThrow(message);
  });
});
