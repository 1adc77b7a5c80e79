import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('only known extensions are used', async () => {
  const root = `
x-tagGroups: []
tags: [{ name: A, x-surface: system, x-color: red }]
paths:
  /a: { get: { x-scope: read, x-transition: {}, responses: { '200': { headers: { x-own: {} } } } } }
`;
  expect(await reported('extensions', root)).toEqual([
    '#/tags/0/x-color `x-color` is not a known extension.',
    '#/paths/~1a/get/x-scope `x-scope` is not a known extension.',
  ]);
});
