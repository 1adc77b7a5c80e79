import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('every tag is in one group, and groups contain only tags', async () => {
  const root = `
tags: [{ name: A }, { name: B }, { name: C }]
x-tagGroups: [{ name: One, tags: [A, C, D] }, { name: Two, tags: [C] }]
paths: {}
`;
  expect(await reported('tags', root)).toEqual([
    '#/tags/1 `B` is in no group of `x-tagGroups`.',
    '#/tags/2 `C` is in `x-tagGroups` more than once.',
    '#/x-tagGroups/0 `D` is not a tag.',
  ]);
});

test('without groups, every tag is reported', async () => {
  expect(await reported('tags', 'tags: [{ name: A }]\npaths: {}\n')).toEqual([
    '#/tags/0 `A` is in no group of `x-tagGroups`.',
  ]);
});
