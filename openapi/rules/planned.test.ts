import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('every planned entry is an operation, listed once', async () => {
  const root = `
x-planned: [runQuery, listThings, SERVICE_QUOTA_EXCEEDED, runQuery]
paths:
  /query:
    post: { operationId: runQuery }
`;
  expect(await reported('planned', root)).toEqual([
    '#/paths x-planned: there is no operation `listThings`.',
    '#/paths x-planned: `runQuery` is listed twice.',
  ]);
});
