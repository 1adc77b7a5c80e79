import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('a transition belongs to an action and names categories of the record', async () => {
  const root = `
paths:
  /things:
    get: { operationId: listThings, x-transition: { to: open }, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
  /things/{id}/actions/close:
    post: { operationId: closeThing, x-transition: { from: [open, asleep], to: closed } }
  /things/{id}/actions/reopen:
    post: { operationId: reopenThing, x-transition: { from: closed, into: open } }
${things}`;
  expect(await reported('transition', root)).toEqual([
    '#/paths/~1things/get/x-transition listThings: only an action can have `x-transition`.',
    '#/paths/~1things~1{id}~1actions~1close/post/x-transition closeThing: `asleep` is not a `statusCategory` of the record.',
    '#/paths/~1things~1{id}~1actions~1reopen/post/x-transition reopenThing: `x-transition` has `from` and `to`, not `into`.',
    '#/paths/~1things~1{id}~1actions~1reopen/post/x-transition reopenThing: `x-transition.from` must be a list.',
  ]);
});
