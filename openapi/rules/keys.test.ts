import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('the key in the file matches the form of the path', async () => {
  const root = `
paths:
  /things: { $ref: things.yaml#/collection }
  /things/{id}: { $ref: things.yaml#/record }
  /things/{id}/actions/set-status: { $ref: things.yaml#/setStatus }
  /objects: { $ref: things.yaml#/objectsCollection }
  /system/health: { $ref: things.yaml#/record }
  /inline: { get: { operationId: getInline } }
`;
  const file = ['collection', 'record', 'setStatus', 'objectsCollection'].map((key) => `${key}: { summary: x }\n`);
  expect(await reported('keys', root, { 'things.yaml': file.join('') })).toEqual([
    '#/paths/~1things~1{id} /things/{id}: the key of this path must end with `Item`, not `record`.',
    '#/paths/~1inline /inline: the root must refer to the file of the entity.',
  ]);
});
