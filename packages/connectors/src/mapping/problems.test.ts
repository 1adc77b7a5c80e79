import { fileURLToPath } from 'node:url';
import { entities, entityOf } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { addPlatforms, platformIds, platformOf } from '../platforms.ts';
import { compileMapping } from './compile.ts';
import type { FieldDefinitions, MappingDefinition, WordDefinition } from './definition.ts';
import type { ValueProblem } from './problem.ts';

/** The values that a mapping derives from a row, and the problems that it records. */
function read(
  entity: keyof typeof entities,
  fields: FieldDefinitions,
  row: object,
  more: Partial<MappingDefinition> = {},
) {
  const source = { entity, stream: 'table', fields, ...more };
  const mapping = compileMapping(source, { file: 'mapping.yaml', entity: entities[entity] });
  const problems: ValueProblem[] = [];
  const record = mapping.read({ key: '7', row: { ...row } }, problems);
  return { values: record?.values ?? {}, references: record?.references ?? {}, problems };
}

describe('a value that is not mapped', () => {
  test('is null if the document allows null, otherwise absent: a unit is neither active nor inactive', () => {
    const { values, problems } = read(
      'Unit',
      { name: 'Name', description: 'Note', isActive: 'Active' },
      { Name: 'Piece' },
    );
    expect(values).toMatchObject({ name: 'Piece', description: null });
    expect(values).not.toHaveProperty('isActive');
    expect(problems).toEqual([]);
  });

  test('of a list that is mapped is an empty list', () => {
    expect(read('Locality', { postalCodes: 'codes' }, {}).values).toMatchObject({ postalCodes: [] });
    expect(read('Locality', { name: 'n' }, {}).values).not.toHaveProperty('postalCodes');
  });

  test.each(['', ' ', '\t \n'])('for a blank text, "%s", is null or absent', (blank) => {
    const { values, problems } = read('Unit', { symbol: 's', description: 'd' }, { s: blank, d: blank });
    expect(values).toMatchObject({ description: null });
    expect(values).not.toHaveProperty('symbol');
    expect(problems).toEqual([]);
    const texts = read('Locality', { postalCodes: 'codes' }, { codes: ['10115', blank] });
    expect(texts.values).toMatchObject({ postalCodes: ['10115'] });
  });

  test('of an empty text that the mapping lists is the empty text, where the field may be empty', () => {
    const terms = { coalesce: ['t', { const: '' }] };
    expect(read('Vendor', { terms }, { t: null }).values).toMatchObject({ terms: '' });
    expect(read('Vendor', { terms }, { t: ' ' }).values).toMatchObject({ terms: '' });
    expect(read('Vendor', { terms: 't' }, { t: '' }).values).not.toHaveProperty('terms');
    expect(read('Unit', { symbol: { read: { const: '' } } }, {}).values).not.toHaveProperty('symbol');
  });

  test('of a text with surrounding blanks keeps them, unless the word `text` removes them', () => {
    const row = { d: ' x ' };
    expect(read('Unit', { description: 'd' }, row).values).toMatchObject({ description: ' x ' });
    expect(read('Unit', { description: { text: 'd' } }, row).values).toMatchObject({ description: 'x' });
  });

  test.each<[string, keyof typeof entities, string, WordDefinition, unknown]>([
    ['blank text', 'Employee', 'dateOfBirth', { date: 'v' }, '   '],
    ['a date of zeros', 'Employee', 'dateOfBirth', { date: { from: 'v', format: 'YYYYMMDD' } }, '00000000'],
    ['a timestamp of zeros', 'WorkOrder', 'dueAt', { datetime: 'v' }, '0000-00-00 00:00:00'],
    ['a blank number', 'Item', 'weight', { number: 'v' }, ''],
    ['a blank key of a lookup', 'Item', 'itemType', { lookup: { from: 'v', table: { A: 'service' } } }, ' '],
    [
      'a key that means no value',
      'Language',
      'isRtl',
      { lookup: { from: 'v', table: { A: true }, otherwise: null } },
      'B',
    ],
    ['text that another word reads', 'Item', 'weight', { coalesce: [{ number: 'v' }, { const: 1 }] }, 'abc'],
  ])('is not a problem: %s', (_, entity, field, word, value) => {
    expect(read(entity, { [field]: word }, { v: value }).problems).toEqual([]);
  });
});

describe('a value that cannot be used is left out of records and recorded', () => {
  test.each<[string, keyof typeof entities, string, WordDefinition, unknown, Partial<ValueProblem>]>([
    ['a number from a name', 'Item', 'weight', { number: 'v' }, 'Bolt', { reason: 'unreadable' }],
    ['a number from a name, without a word', 'Item', 'weight', 'v', 'Bolt', { reason: 'unreadable' }],
    ['a number beyond 2^53', 'Item', 'weight', { number: 'v' }, '9007199254740993', { reason: 'unreadable' }],
    ['a column beyond 2^53', 'Item', 'weight', 'v', '9007199254740993', { reason: 'unreadable' }],
    [
      'cents beyond 2^53',
      'Item',
      'weight',
      { number: { from: 'v', scale: 1 } },
      '90071992547409931',
      { reason: 'unreadable' },
    ],
    ['a decimal comma read as a point', 'Item', 'weight', { number: 'v' }, '1,5', { reason: 'unreadable' }],
    ['a date from a login', 'Employee', 'hireDate', { date: 'v' }, 'adventure-works\\ken0', { reason: 'unreadable' }],
    ['a date from a login, without a word', 'Employee', 'hireDate', 'v', 'ken0', { reason: 'unreadable' }],
    ['a day that does not exist', 'Employee', 'hireDate', 'v', '2026-02-30', { reason: 'unreadable' }],
    ['a timestamp from a name', 'WorkOrder', 'dueAt', { datetime: 'v' }, 'soon', { reason: 'unreadable' }],
    ['a timestamp without end', 'WorkOrder', 'dueAt', { datetime: 'v' }, 'infinity', { reason: 'unreadable' }],
    ['a timestamp after year 9999', 'WorkOrder', 'dueAt', 'v', '9999-12-31T17:00:00-07:00', { reason: 'unreadable' }],
    [
      'a boolean in neither list',
      'Unit',
      'isActive',
      { boolean: { from: 'v', true: ['J'], false: ['N'] } },
      'X',
      { reason: 'unreadable' },
    ],
    ['a boolean from text', 'Unit', 'isActive', 'v', 'yes', { reason: 'unreadable' }],
    [
      'an unknown key of a lookup',
      'Item',
      'itemType',
      { lookup: { from: 'v', table: { A: 'service' } } },
      'Z',
      { reason: 'unreadable' },
    ],
    ['text from an object', 'Unit', 'description', 'v', { a: 1 }, { reason: 'unreadable', example: '{"a":1}' }],
    [
      'an ISO 4217 code that is a name',
      'Currency',
      'isoCode',
      { text: 'v' },
      'Emirati Dirham',
      { reason: 'not_allowed' },
    ],
    [
      'a text that is too long',
      'Unit',
      'description',
      { text: 'v' },
      'x'.repeat(4001),
      { reason: 'not_allowed', example: `${'x'.repeat(99)}…` },
    ],
    ['a value that is not listed', 'Item', 'itemType', { text: 'v' }, 'thing', { reason: 'not_allowed' }],
    ['a number below the minimum', 'WorkOrder', 'priorityLevel', 'v', 0, { reason: 'not_allowed', example: '0' }],
    ['a fraction where an integer belongs', 'WorkOrder', 'priorityLevel', 'v', 1.5, { reason: 'not_allowed' }],
    ['a list from text', 'Locality', 'postalCodes', 'v', '10115', { reason: 'unreadable' }],
  ])('%s', (_, entity, field, word, value, noted) => {
    const { values, problems } = read(entity, { [field]: word }, { v: value });
    expect(values[field] ?? null).toBeNull();
    expect(Object.hasOwn(values, field)).toBe(entities[entity].field[field]?.nullable);
    expect(problems).toEqual([
      { field, reason: expect.any(String), message: expect.any(String), example: String(value), ...noted },
    ]);
    expect(problems[0]?.message).not.toContain(String(value));
  });

  test('within lists of objects: the property is left out, the line is kept', () => {
    const lines = { list: { from: 'pos', fields: { debit: { number: 'amount' }, description: 'text' } } };
    const row = { pos: [{ amount: 'abc', text: 'One' }, { amount: '2.50', text: 'x'.repeat(20_000) }, 'no object'] };
    const { values, problems } = read('JournalEntry', { lines }, row);
    expect(values.lines).toEqual([
      { debit: null, description: 'One' },
      { debit: 2.5, description: null },
    ]);
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual([
      ['lines', 'unreadable'],
      ['lines.debit', 'unreadable'],
      ['lines.description', 'not_allowed'],
    ]);
  });

  test('an object without a property that the document requires is left out of its list', () => {
    const emails = { list: { from: 'mails', fields: { value: 'address', label: 'label' } } };
    const { values, problems } = read(
      'Contact',
      { emails },
      { mails: [{ label: 'Home' }, { address: 'a@b.example' }, {}] },
    );
    expect(values.emails).toEqual([{ value: 'a@b.example', label: null }]);
    expect(problems).toEqual([expect.objectContaining({ field: 'emails', reason: 'not_allowed' })]);
  });

  test('a JSON column is checked against the document as well', () => {
    const address = { city: 'Bremen', countryCode: 'Germany', extra: 1 };
    const site = read('Site', { address: 'address' }, { address });
    expect(site.values.address).toEqual({ city: 'Bremen', countryCode: null });
    expect(site.problems).toEqual([expect.objectContaining({ field: 'address.countryCode', example: 'Germany' })]);
  });

  test('a text with an unreadable part', () => {
    const word = { concat: { parts: ['a', { number: 'b' }], separator: ' ' } };
    expect(read('Unit', { description: word }, { a: 'x', b: 'abc' }).values).toMatchObject({ description: null });
  });

  test('timestamps and the label of the record', () => {
    const more = { created: { datetime: 'at' }, deleted: 'gone' };
    const { problems } = read('Unit', { name: 'n' }, { at: 'never', gone: 'yes' }, more);
    expect(problems.map(({ field }) => field)).toEqual(['_createdAt', '_deletedAt']);
  });

  test.each(['PasswordHash', 'api_key', 'LoginToken'])('without an example where the column is named %s', (path) => {
    const { problems } = read('Employee', { hireDate: { date: path } }, { [path]: 'hunter2' });
    expect(problems).toEqual([expect.objectContaining({ field: 'hireDate', example: null })]);
  });

  test('an example can be stored, whatever the value contains', () => {
    const { problems } = read('Employee', { hireDate: { date: 'v' } }, { v: `a\0${'x'.repeat(97)}😀😀` });
    expect(problems[0]?.example).toMatch(/^ax+.?…$/u);
    expect(problems[0]?.example?.isWellFormed()).toBe(true);
  });
});

test('a key that a lookup does not have is recorded with its field, the value and a remedy', () => {
  const { problems } = read('Item', { itemType: { lookup: { from: 'v', table: { A: 'service' } } } }, { v: 'Z' });
  const message = 'The table of `lookup` does not have this value. Add it to the table, or set `otherwise`.';
  expect(problems).toEqual([{ field: 'itemType', reason: 'unreadable', message, example: 'Z' }]);
});

test('a constant that the document forbids is refused with the file', () => {
  expect(() => read('Currency', { isoCode: { const: 'Euro' } }, {})).toThrow('mapping.yaml: fields.isoCode');
});

test('the hash of a mapping changes when the document changes its fields, so that stored records are derived again', () => {
  const { Unit } = entities;
  const source = { entity: 'Unit', stream: 'table', fields: { name: 'n' } };
  const { hash } = compileMapping(source, { file: 'unit.yaml', entity: Unit });
  const fields = Unit.fields.map((field) => (field.name === 'symbol' ? { ...field, limits: { maxLength: 1 } } : field));
  expect(compileMapping(source, { file: 'unit.yaml', entity: { ...Unit, fields } }).hash).not.toBe(hash);
  expect(compileMapping(source, { file: 'unit.yaml', entity: Unit }).hash).toBe(hash);
});

test('the paths of every mapping are the sources of its fields', () => {
  addPlatforms(fileURLToPath(new URL('../../../sandbox/platforms', import.meta.url)));
  for (const mapping of platformIds().flatMap((id) => Object.values(platformOf(id).mappings))) {
    const known = new Set([...mapping.fields, 'where', '_displayValue', '_createdAt', '_updatedAt', '_deletedAt']);
    for (const { field, path } of mapping.paths) {
      expect(known, `${mapping.entity}.${field}`).toContain(field.split('.')[0]);
      expect(path).not.toBe('');
    }
    expect(entityOf(mapping.entity)).toBeDefined();
  }
});
