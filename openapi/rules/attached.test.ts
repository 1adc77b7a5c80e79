import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const root = (targets: string, name = 'attachments', kind = 'Attachment') => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
  /${name}: { get: { operationId: list${kind}s, responses: { '200': { $ref: '#/components/responses/${kind}Page' } } } }
${things
  .replace(
    'readOnly: true, description: State. }',
    `readOnly: true, description: State. }, ${name}: { type: array, description: All., items: { $ref: '#/components/schemas/${kind}' } }`,
  )
  .replace(
    '  responses:\n',
    `    ${kind}: { allOf: [{ $ref: '#/components/schemas/Entity' }, { type: object, properties: { subject: { description: Of., anyOf: [${targets}] } } }] }
    ${kind}Page: { properties: { data: { type: array, description: All., items: { $ref: '#/components/schemas/${kind}' } } } }
  responses:
    ${kind}Page: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${kind}Page' } } } }
`,
  )}`;

test('an entity that lists attachments is one of their subjects', async () => {
  expect(await reported('attached', root("{ $ref: '#/components/schemas/Thing' }, { type: 'null' }"))).toEqual([]);
});

test.each([
  ['attachments', 'Attachment'],
  ['comments', 'Comment'],
])('an entity that lists %s which cannot belong to it is reported', async (name, kind) => {
  expect(await reported('attached', root("{ type: 'null' }", name, kind))).toEqual([
    expect.stringContaining(`Thing lists records of ${kind}; add it to the targets of \`${kind}.subject\`.`),
  ]);
});
