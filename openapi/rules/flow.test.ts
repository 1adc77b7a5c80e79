import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('a text that is cut at a comma is reported, in every file; null and quoted texts are values', async () => {
  const root = `
paths:
  /a: { get: { summary: Read, or list, description: 'Quoted, as it should be', responses: { $ref: 'other.yaml#/responses' } } }
`;
  const other = 'responses: { default: { description: null, x-do: Create it first, then retry } }\n';
  expect(await reported('flow', root, { 'other.yaml': other })).toEqual([
    '#/ `or list` has no value; quote a text that contains a comma.',
    '#/ `then retry` has no value; quote a text that contains a comma.',
  ]);
});
