import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('an action is a POST below `actions/` and returns the write record for both statuses', async () => {
  const root = `
paths:
  /things/{id}/actions/open:
    post: { operationId: openThing, responses: { '200': { $ref: '#/components/responses/WriteRecord' }, '202': { $ref: '#/components/responses/WriteRecord' } } }
  /things/{id}/actions/close:
    put: { operationId: closeThing, responses: { '202': { $ref: '#/components/responses/WriteRecord' } } }
  /things/{id}/reopen:
    post: { operationId: reopenThing }
${things}`;
  expect(await reported('action', root)).toEqual([
    '#/paths/~1things~1{id}~1actions~1close/put closeThing: an action must be a POST.',
    '#/paths/~1things~1{id}~1actions~1close/put/responses closeThing: an action must return 200 with `WriteRecord`.',
    '#/paths/~1things~1{id}~1reopen/post reopenThing: a POST that acts on a record must be below `actions/`.',
  ]);
});

test('the description of an action names what its body requires', async () => {
  const responses =
    "{ '200': { $ref: '#/components/responses/WriteRecord' }, '202': { $ref: '#/components/responses/WriteRecord' } }";
  const body = '{ content: { application/json: { schema: { type: object, required: [target, reason] } } } }';
  const root = `
paths:
  /things/{id}/actions/convert:
    post: { operationId: convertThing, description: Requires \`target\`., requestBody: ${body}, responses: ${responses} }
${things}`;
  expect(await reported('action', root)).toEqual([
    '#/paths/~1things~1{id}~1actions~1convert/post convertThing: its description must name `reason`, which it requires.',
  ]);
});
