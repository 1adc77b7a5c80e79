import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('a write accepts a key; a write on a record also accepts `Prefer` and `dryRun`', async () => {
  const root = `
tags: [{ name: Admin, x-surface: management }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
    post: { operationId: createThing, parameters: [{ name: Prefer, in: header }] }
  /things/{id}:
    parameters: [{ name: Idempotency-Key, in: header }]
    patch: { operationId: updateThing, parameters: [{ name: Prefer, in: header }, { name: dryRun, in: query }] }
  /things/{id}/actions/close:
    post: { operationId: closeThing }
  /clients:
    post: { operationId: createClient, tags: [Admin] }
${things}`;
  expect(await reported('write', root)).toEqual([
    '#/paths/~1things/post/parameters createThing: a write must accept `Idempotency-Key`.',
    '#/paths/~1things/post/parameters createThing: a write must accept `dryRun`.',
    '#/paths/~1things~1{id}~1actions~1close/post closeThing: a write must accept `Idempotency-Key`.',
  ]);
});

test('responses of a successful write name its write record', async () => {
  const key = '{ name: Idempotency-Key, in: header }';
  const headers = 'headers: { Write-Id: { schema: { type: string } }, Write-Warnings: { schema: { type: integer } } }';
  const root = `
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
  /things/{id}/actions/close:
    post: { operationId: closeThing, parameters: [${key}], responses: { '200': { ${headers} }, '202': { $ref: '#/components/responses/WriteRecord' }, default: {} } }
  /things/batch:
    post: { operationId: createThings, parameters: [${key}], responses: { '200': {} } }
  /sync:
    post: { operationId: startSync, responses: { '202': {} } }
${things}`;
  expect(await reported('write', root)).toEqual([
    '#/paths/~1things~1{id}~1actions~1close/post/responses closeThing: 202 of a write must have the header `Write-Id`.',
    '#/paths/~1things~1{id}~1actions~1close/post/responses closeThing: 202 of a write must have the header `Write-Warnings`.',
  ]);
});
