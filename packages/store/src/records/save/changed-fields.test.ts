import { expect, test } from 'vitest';
import { revise } from './changed-fields.ts';

const names = ['id', 'text', 'list', 'extra', 'count'];
const old = { id: '1', text: 'say "a,b": {', list: [{ id: 'x', text: 'y' }], extra: { text: 1, count: '}' }, count: 1 };

const fieldsOf = (fieldNames: readonly string[]) => fieldNames.map((name) => ({ name, prefix: `"${name}":` }));

/** The revision from a stored document to a new record; fields that are undefined are left out. */
const revised = (before: string, now: Record<string, unknown>, fieldNames: readonly string[] = names) =>
  revise(before, fieldsOf(fieldNames), (index) => JSON.stringify(now[fieldNames[index] ?? '']) ?? '');

test.each([
  ['nothing', {}, []],
  ['a text with quotes, commas and braces', { text: 'b' }, ['text']],
  ['a list', { list: [] }, ['list']],
  ['a nested object whose keys are field names', { extra: { text: 2, count: '}' } }, ['extra']],
  ['a number that begins like the old one', { count: 12 }, ['count']],
  ['the first, a middle and the last field', { id: '2', list: [], count: 0 }, ['id', 'list', 'count']],
])('%s changed', (_, now, fields) => {
  const next = { ...old, ...now };
  expect(revised(JSON.stringify(old), next)).toEqual({ doc: JSON.stringify(next), changed: fields });
});

test('a number that is a prefix of the old one counts as changed', () => {
  expect(revised('{"count":12}', { count: 1 }, ['count'])).toEqual({ doc: '{"count":1}', changed: ['count'] });
});

test('a field has changed if it was present and is now absent, or the other way around', () => {
  const whole = JSON.stringify(old);
  for (const name of names) {
    const without = { ...old, [name]: undefined };
    expect(revised(whole, without)).toEqual({ doc: JSON.stringify(without), changed: [name] });
    expect(revised(JSON.stringify(without), old)).toEqual({ doc: whole, changed: [name] });
    expect(revised(JSON.stringify(without), without)).toEqual({ doc: JSON.stringify(without), changed: [] });
  }
});

test('any fields may change together', () => {
  for (let mask = 0; mask < 3 ** names.length; mask++) {
    const how = names.map((_, index) => Math.floor(mask / 3 ** index) % 3);
    const next = Object.fromEntries(
      names.map((name, index) => [name, [old[name as keyof typeof old], 'new', undefined][how[index] ?? 0]]),
    );
    const changed = names.filter((_, index) => how[index] !== 0);
    expect(revised(JSON.stringify(old), next)).toEqual({ doc: JSON.stringify(next), changed });
  }
});

test('a document with other fields cannot be compared', () => {
  expect(revised('{"id":"1","other":2}', old)).toBeNull();
  expect(revised(JSON.stringify({ ...old, more: 1 }), old)).toBeNull();
  expect(revised(JSON.stringify(old), old, names.slice(0, 4))).toBeNull();
});
