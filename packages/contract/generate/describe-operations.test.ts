import { expect, it } from 'vitest';
import { describeOperations } from './describe-operations.ts';
import { documentOf, json, thingSchemas } from './document-of.ts';

const tags = ['Things'];
const written = { '200': json('ThingResponse') };
const document = documentOf(
  {
    '/things': {
      get: { operationId: 'listThings', summary: 'List things', tags, responses: { '200': json('ThingPage') } },
      post: {
        operationId: 'createThing',
        summary: 'Create a thing',
        tags,
        requestBody: json('ThingInput'),
        responses: written,
      },
    },
    '/things/{id}': {
      get: { operationId: 'getThing', summary: 'Get a thing', tags, responses: written },
      patch: {
        ...{ operationId: 'updateThing', summary: 'Update a thing', description: 'Written by hand.', tags },
        ...{ requestBody: json('ThingPatch'), responses: written },
      },
    },
    '/other': { get: { operationId: 'other', summary: 'Get another', tags, responses: {} } },
  } as Parameters<typeof documentOf>[0],
  thingSchemas,
);
const { paths } = describeOperations(document);
const descriptionOf = (node: object | undefined) => (node as { description?: string } | undefined)?.description;

it('an operation that follows the conventions is described by them', () => {
  expect(descriptionOf(paths['/things']?.get)).toContain('Returns a page of things');
  expect(descriptionOf(paths['/things/{id}']?.get)).toContain('`expand` accepts `parent`.');
  expect(descriptionOf(paths['/things']?.post)).toContain('`name` is required.');
});

it('a description in the files is kept, and an operation without a convention gets none', () => {
  expect(descriptionOf(paths['/things/{id}']?.patch)).toBe('Written by hand.');
  expect(descriptionOf(paths['/other']?.get)).toBeUndefined();
});
