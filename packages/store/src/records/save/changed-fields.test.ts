import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

const names = ['id', 'text', 'list', 'extra', 'count'];
const old = { id: '1', text: 'say "a,b": {', list: [{ id: 'x', text: 'y' }], extra: { text: 1, count: '}' }, count: 1 };

const partsOf = (record: Record<string, unknown>) => names.map((name) => `"${name}":${JSON.stringify(record[name])}`);
const changed = (now: Partial<typeof old>) => changedFields(JSON.stringify(old), names, partsOf({ ...old, ...now }));

test.each([
  ['nothing', {}, []],
  ['a text with quotes, commas and braces', { text: 'b' }, ['text']],
  ['a list', { list: [] }, ['list']],
  ['a nested object whose keys are field names', { extra: { text: 2, count: '}' } }, ['extra']],
  ['a number that begins like the old one', { count: 12 }, ['count']],
  ['the first, a middle and the last field', { id: '2', list: [], count: 0 }, ['id', 'list', 'count']],
])('%s changed', (_, now, fields) => {
  expect(changed(now as Partial<typeof old>)).toEqual(fields);
});

test('a number that is a prefix of the old one counts as changed', () => {
  expect(changedFields('{"count":12}', ['count'], ['"count":1'])).toEqual(['count']);
});

test('a field has changed if it was present and is now absent, or the other way around', () => {
  const parts = partsOf(old);
  const without = (name: string) => parts.map((part, index) => (names[index] === name ? '' : part));
  const textOf = (given: readonly string[]) => `{${given.filter(Boolean).join(',')}}`;
  for (const name of names) {
    expect(changedFields(textOf(parts), names, without(name))).toEqual([name]);
    expect(changedFields(textOf(without(name)), names, parts)).toEqual([name]);
    expect(changedFields(textOf(without(name)), names, without(name))).toEqual([]);
  }
});

test('a document with other fields cannot be compared', () => {
  const parts = partsOf(old);
  expect(changedFields('{"id":"1","other":2}', names, parts)).toBeNull();
  expect(changedFields(JSON.stringify({ ...old, more: 1 }), names, parts)).toBeNull();
  expect(changedFields(JSON.stringify(old), names.slice(0, 4), parts.slice(0, 4))).toBeNull();
});
