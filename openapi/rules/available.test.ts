import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const root = (property: string, action: string) => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
  /things/{id}/actions/close: { post: { operationId: closeThing, ${action} } }
${things.replace('readOnly: true, description: State. }', `readOnly: true, description: State. }${property}`)}`;

const declared = ', availableActions: { type: array, readOnly: true, items: { type: string }, description: Verbs. }';
const moving = 'x-transition: { to: closed }';
const at = '#/paths/~1things/get listThings: Thing:';

test.each([
  ['its actions change the state and it lists them', declared, moving, []],
  ['it has no state that actions change', '', 'deprecated: false', []],
  [
    'it does not list its actions',
    '',
    moving,
    [`${at} its actions have \`x-transition\`; declare \`availableActions\`.`],
  ],
  [
    'it lists actions although none changes the state',
    declared,
    'deprecated: false',
    [`${at} no action has \`x-transition\`; remove \`availableActions\`.`],
  ],
  [
    'its list of actions is writable',
    declared.replace(' readOnly: true,', ''),
    moving,
    [`${at} \`availableActions\` must be a read-only list of strings.`],
  ],
])('%s', async (_, property, action, problems) => {
  expect(await reported('available', root(property, action))).toEqual(problems);
});
