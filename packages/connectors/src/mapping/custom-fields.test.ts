import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { scalar } from '../scalar-type.ts';
import { compileMapping } from './compile.ts';
import type { CustomTypes } from './custom-fields.ts';
import type { ValueProblem } from './problem.ts';

const compiled = (customFields: unknown) =>
  compileMapping(
    { entity: 'Vendor', stream: 'v', fields: { name: 'n', terms: { const: '' } }, customFields, writes: ['update'] },
    { file: 'v.yaml', entity: entities.Vendor },
  );

const row = { n: 'Acme', color: ' red ', size: '12.50', big: true, day: '2026-11-20', at: '2026-11-20T10:00:00+02:00' };

const text = { type: 'text', scalar: scalar('string') };
const columns = [
  { name: 'n', ...text },
  { name: 'color', ...text },
  { name: 'size', type: 'numeric', scalar: scalar('number') },
  { name: 'big', type: 'boolean', scalar: scalar('boolean') },
  { name: 'day', type: 'date', scalar: scalar('date') },
  { name: 'at', type: 'timestamp', scalar: scalar('dateTime') },
  { name: 'lists', type: 'jsonb' },
  { name: 'lines', type: 'keys of lines' },
  { name: 'span', ...text },
  { name: 'password', ...text },
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

test('a value within an object is read by its path, with its own name, and cannot be written', () => {
  const include = [
    { name: 'buyer', path: 'contact.buyer' },
    { name: 'extra', path: 'contact.no', type: 'number' },
  ];
  const mapping = compiled({ include: [...include, 'color'], writable: true });
  const values = { color: 'red', contact: { buyer: 'Ada', no: '7' } };
  expect(read({ include }, typesIn(compiled({ include })), values)).toEqual({
    values: { buyer: 'Ada', extra: 7 },
    problems: [],
  });
  expect(read({ include }, undefined, { contact: null }).values).toEqual({ buyer: null, extra: null });
  expect(mapping.paths).toContainEqual({ field: 'customFields.buyer', path: 'contact.buyer' });
  expect(mapping.customFields.known(columns)).toMatchObject([
    { name: 'buyer', type: 'string' },
    { name: 'extra', type: 'number' },
    { name: 'color', isWritable: true },
  ]);
  const { canWrite } = mapping.customFields;
  expect(['buyer', 'extra', 'color'].map(canWrite)).toEqual([false, false, true]);
  expect(mapping.write({ customFields: { buyer: 'Bob', color: 'blue' } }, { op: 'update' })).toEqual({
    values: { color: 'blue' },
    unsupported: ['customFields.buyer'],
  });
});

test('writable columns are sent under their names, others are not sent', () => {
  const include = ['color', { name: 'size', type: 'number' }, 'at'];
  const mapping = compiled({ include, writable: ['color', 'size'] });
  const customFields = { color: 'blue', size: null, at: '2026-11-20T10:00:00Z', day: '2026-11-20' };
  expect(mapping.writable).toContain('customFields');
  expect(mapping.write({ name: 'Acme', customFields }, { op: 'update' })).toEqual({
    values: { n: 'Acme', color: 'blue', size: null },
    unsupported: ['customFields.at', 'customFields.day'],
  });
  expect(compiled({ include }).writable).not.toContain('customFields');
});

test('a field that the mapping makes writable later can be written without another comparison of the columns', () => {
  const [before, after] = [compiled({ include: ['color'] }), compiled({ include: ['color'], writable: ['color'] })];
  const stored = before.customFields.known(columns);
  expect(stored).toMatchObject([{ name: 'color', isWritable: true }]);
  expect(after.customFields.known(columns)).toEqual(stored);
  expect([before.customFields.canWrite('color'), after.customFields.canWrite('color')]).toEqual([false, true]);
});

test('of the writable columns, those that the system computes are read-only', () => {
  const mapping = compiled({ include: 'all', writable: true });
  const known = mapping.customFields.known([
    { name: 'n', ...text },
    { ...text, name: 'color', scalar: { type: 'string', limits: { maxLength: 20 } }, isRequired: true },
    { name: 'area', type: 'numeric(6,2)', scalar: { type: 'number', limits: { decimals: 2 } }, isReadOnly: true },
    { name: 'tags', type: 'text[]' },
    { name: '__proto__', ...text },
  ]);
  expect(known).toEqual([
    { name: 'color', type: 'string', isIndexed: false, isWritable: true, isRequired: true, limits: { maxLength: 20 } },
    {
      ...{ name: 'area', type: 'number', isIndexed: false, isWritable: false, isRequired: false },
      limits: { decimals: 2 },
    },
  ]);
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
  [{ include: ['__proto__'] }, /customFields/],
  [{ include: ['a'], writable: ['b'] }, /"b" is writable, but not included/],
  [{ include: ['a', 'n'], writable: ['n'] }, /"n" is writable as `name` already/],
  [{ include: 'all', writable: ['password'] }, /"password" cannot be a custom field/],
  [{ include: ['a'], writable: [] }, /customFields/],
  [{ include: [{ name: 'a', path: 'b.c' }], writable: ['a'] }, /"a" has a `path`, so it cannot be written/],
  [{ include: [{ name: 'a', path: 'b..c' }] }, /path "b..c" has an empty name/],
])('%j is refused', (customFields, message) => {
  expect(() => compiled(customFields)).toThrow(message);
});

test('a word for the field customFields is refused', () => {
  const definition = { entity: 'Vendor', stream: 'v', fields: { customFields: 'x' } };
  expect(() => compileMapping(definition, { file: 'v.yaml', entity: entities.Vendor })).toThrow(/use the part/);
});

test('lines are sent with theirs under their own names, except for columns that a word or the driver uses', () => {
  const fields = { lines: { read: 'x', write: { list: { to: 'rows', fields: { quantity: 'qty' } } } } };
  const mapping = compileMapping({ entity: 'SalesOrder', stream: 's', fields, writes: ['update'] }, { file: 's.yaml' });
  const customFields = { color: 'red', size: null, qty: 7, '@key': '1' };
  const { values, unsupported } = mapping.write({ lines: [{ quantity: 2, customFields }, {}] }, { op: 'update' });
  expect(values).toEqual({ rows: [{ qty: 2, color: 'red', size: null }, {}] });
  expect(unsupported).toEqual(['lines.customFields.qty', 'lines.customFields.@key']);
});

test('a column that a word of lines writes is not writable by its name, though lines have no writes of their own', () => {
  const definition = {
    entity: 'SalesOrderLine',
    stream: 'l',
    fields: { quantity: 'qty', total: { read: { number: 'sum' } } },
  };
  const compile = (writable: unknown) =>
    compileMapping(
      { ...definition, customFields: { include: ['qty', 'color'], writable } },
      { file: 'l.yaml', entity: entities.SalesOrderLine },
    );
  const { canWrite } = compile(true).customFields;
  expect([canWrite('color'), canWrite('qty')]).toEqual([true, false]);
  expect(() => compile(['qty'])).toThrow('"qty" is writable as `quantity` already');
});
