import { expect, it } from 'vitest';
import { describeRelations } from './describe-relations.ts';
import { documentOf, ref, thingSchemas } from './document-of.ts';

const relation = { anyOf: [ref('Relation'), { type: 'null' }] };

it('a relation in a request body has the description of its field', () => {
  const document = documentOf(
    {},
    {
      ...thingSchemas,
      RelationInput: { type: 'object', description: 'The record to point to.' },
      Thing: { allOf: [ref('Entity'), { properties: { parent: { ...relation, description: 'Thing above.' } } }] },
      ThingPatch: {
        allOf: [ref('ThingFields'), { properties: { parent: ref('RelationInput'), other: ref('RelationInput') } }],
      },
    },
  );
  const { ThingPatch } = describeRelations(document).components.schemas ?? {};
  expect(ThingPatch?.allOf?.[1]?.properties).toEqual({
    parent: { ...ref('RelationInput'), description: 'Thing above.' },
    other: ref('RelationInput'),
  });
});
