import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const list = "attachments: { type: array, description: Files., items: { $ref: '#/components/schemas/Attachment' } }";
const root = (targets: string) => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
  /attachments: { get: { operationId: listAttachments, responses: { '200': { $ref: '#/components/responses/AttachmentPage' } } } }
${things.replace('readOnly: true, description: State. }', `readOnly: true, description: State. }, ${list}`).replace(
  '  responses:\n',
  `    Attachment: { allOf: [{ $ref: '#/components/schemas/Entity' }, { type: object, properties: { subject: { description: Of., anyOf: [${targets}] } } }] }
    AttachmentPage: { properties: { data: { type: array, description: All., items: { $ref: '#/components/schemas/Attachment' } } } }
  responses:
    AttachmentPage: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/AttachmentPage' } } } }
`,
)}`;

test('an entity that lists attachments is one of their subjects', async () => {
  expect(await reported('attached', root("{ $ref: '#/components/schemas/Thing' }, { type: 'null' }"))).toEqual([]);
});

test('an entity that lists attachments which cannot belong to it is reported', async () => {
  expect(await reported('attached', root("{ type: 'null' }"))).toEqual([
    expect.stringContaining('Thing lists records of Attachment; add it to the targets of `Attachment.subject`.'),
  ]);
});
