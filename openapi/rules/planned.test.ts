import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('every planned entry is an operation, listed once', async () => {
  const root = `
x-planned: [runQuery, writeFailed, listThings, SERVICE_QUOTA_EXCEEDED, runQuery]
paths:
  /query:
    post: { operationId: runQuery }
webhooks:
  write.failed:
    post: { operationId: writeFailed }
`;
  expect(await reported('planned', root)).toEqual([
    '#/x-planned there is no operation `listThings`.',
    '#/x-planned `runQuery` is listed twice.',
  ]);
});
