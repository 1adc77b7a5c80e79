import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('responses of a deprecated operation describe its headers; a successor is a path that can be filled', async () => {
  const root = `
paths:
  /old/{id}:
    get:
      operationId: getOld
      deprecated: true
      x-successor: /new/{id}
      responses: { '200': { headers: { Deprecation: {}, Link: {} } }, '202': { headers: { Deprecation: {} } }, default: {} }
    put: { operationId: putOld, deprecated: true, x-successor: /nowhere }
    delete: { operationId: deleteOld, deprecated: true, x-successor: '/new/{key}' }
  /new/{id}:
    get: { operationId: getNew, x-successor: '/new/{id}', responses: { '200': { headers: { Sunset: {} } } } }
  /new/{key}: { get: { operationId: getNewByKey } }
`;
  expect(await reported('deprecated', root)).toEqual([
    '#/paths/~1old~1{id}/get/responses getOld: 202 of a deprecated operation must have the header `Link`.',
    '#/paths/~1old~1{id}/put/x-successor putOld: `x-successor` must be a path of the document.',
    '#/paths/~1old~1{id}/delete/x-successor deleteOld: `x-successor` may use only parameters of the path.',
    '#/paths/~1new~1{id}/get/x-successor getNew: only a deprecated operation can have `x-successor`.',
    '#/paths/~1new~1{id}/get/responses getNew: 200 has the header `Sunset`, but the operation is not deprecated.',
  ]);
});
