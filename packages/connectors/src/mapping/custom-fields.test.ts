import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import type { CustomTypes } from './custom-fields.ts';
import type { ValueProblem } from './problem.ts';

const compiled = (customFields: unknown) =>
  compileMapping(
    { entity: 'Vendor', stream: 'v', fields: { name: 'n', terms: { const: '' } }, customFields },
    { file: 'v.yaml', entity: entities.Vendor },
  );

const row = { n: 'Acme', color: ' red ', size: '12.50', big: true, day: '2026-11-20', at: '2026-11-20T10:00:00+02:00' };

const columns = [
  { name: 'n', type: 'text' },
  { name: 'color', type: 'character varying(20)' },
  { name: 'size', type: 'numeric(9,2)' },
  { name: 'big', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamp with time zone' },
  { name: 'lists', type: 'jsonb' },
  { name: 'lines', type: 'keys of lines' },
  { name: 'span', type: 'interval' },
  { name: 'password', type: 'text' },
];

/** Types as they are stored for a connection. */
function typesIn(mapping: ReturnType<typeof compiled>): CustomTypes {
  return new Map(mapping.customFields.known(columns).map(({ name, type }) => [name, type]));
}

function read(customFields: unknown, types?: CustomTypes, values: object = row) {
  const problems: ValueProblem[] = [];
  const record = compiled(customFields).read({ key: '1', row: { ...values } }, problems, types);
  return { values: record?.values.customFields, problems };
}

test.each(['none', undefined])('%s: records have no custom fields', (word) => {
  expect(read(word).values).toBeUndefined();
  expect(compiled(word).fields).not.toContain('customFields');
});

test('listed columns are read by their names, with the listed type or that of the column', () => {
  const include = ['color', { name: 'size', type: 'number' }, 'at', 'day', 'gone'];
  const types = typesIn(compiled({ include }));
  expect(Object.fromEntries(types)).toEqual({
    color: 'string',
    size: 'number',
    at: 'dateTime',
    day: 'date',
    gone: 'string',
  });
  expect(read({ include }, types).values).toEqual({
    color: ' red ',
    size: 12.5,
    at: '2026-11-20T08:00:00.000Z',
    day: '2026-11-20',
    gone: null,
  });
  expect(compiled({ include }).paths).toContainEqual({ field: 'customFields.color', path: 'color' });
});

test('all: every plain column that no word reads, except secrets', () => {
  const types = typesIn(compiled('all'));
  expect([...types.keys()]).toEqual(['color', 'size', 'big', 'day', 'at', 'span']);
  const { values } = read('all', types, { ...row, password: 'x', lists: [], lines: ['1'] });
  expect(Object.keys(values as object)).toEqual([...types.keys()]);
  expect(values).toMatchObject({ size: 12.5, big: true, span: null });
});

test('all: without the columns, types are those of the values', () => {
  const { values } = read('all', undefined, { n: 'Acme', size: 5, big: false, text: '5', lists: [], secret: 'x' });
  expect(values).toEqual({ size: 5, big: false, text: '5' });
});

test('a value without its type is null and recorded, a secret without its text', () => {
  const include = [
    { name: 'color', type: 'number' },
    { name: 'password', type: 'number' },
  ];
  const { values, problems } = read({ include }, undefined, { color: 'red', password: 'abc' });
  expect(values).toEqual({ color: null, password: null });
  expect(problems).toMatchObject([
    { field: 'customFields.color', example: 'red' },
    { field: 'customFields.password', example: null },
  ]);
});

test.each([
  [{ include: ['a', { name: 'a' }] }, /"a" is listed twice/],
  [{ include: [{ name: 'a', indexed: true }] }, /"a" is indexed and needs a `type`/],
  [{ include: [{ name: 'a', indexed: true, type: 'boolean' }] }, /"a" is boolean and cannot be indexed/],
  [{ include: [{ name: 'a', typ: 'string' }] }, /customFields.*typ/],
  [{ include: ['a.b'] }, /customFields/],
  ['some', /customFields/],
])('%j is refused', (customFields, message) => {
  expect(() => compiled(customFields)).toThrow(message);
});

test('a word for the field customFields is refused', () => {
  const definition = { entity: 'Vendor', stream: 'v', fields: { customFields: 'x' } };
  expect(() => compileMapping(definition, { file: 'v.yaml', entity: entities.Vendor })).toThrow(/use the part/);
});
