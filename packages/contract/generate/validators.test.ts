import { expect, test } from 'vitest';
import { documentOf, json, thingSchemas } from './document-of.ts';
import type { OperationNode, Parameter } from './openapi.ts';
import { findOperations } from './operations.ts';
import { shardsOf } from './validators.ts';

const filter: Parameter = {
  name: 'filter',
  in: 'query',
  style: 'deepObject',
  explode: true,
  description: 'Conditions.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

function shardOf(node: OperationNode, method: 'get' | 'post' | 'patch' = 'get') {
  const document = documentOf(
    {
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        [method]: { operationId: 'x', tags: ['My Things'], ...node },
      },
    },
    { ...thingSchemas, WithDefault: { type: 'object', properties: { isActive: { type: 'boolean', default: true } } } },
  );
  return shardsOf(document, findOperations(document))['my-things']?.paths['/things/{id}']?.[method];
}

test('a shard contains the parameters of path and operation, without descriptions', () => {
  expect(shardOf({ parameters: [filter], responses: { '200': json('ThingResponse') } })).toEqual({
    operationId: 'x',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'filter',
        in: 'query',
        style: 'deepObject',
        explode: true,
        allowReserved: true,
        schema: { type: 'object', patternProperties: { '^': { type: 'string' } } },
      },
    ],
    responses: { default: { description: 'Not checked.' } },
  });
});

test('a body is one closed schema', () => {
  expect(shardOf({ requestBody: { required: true, ...json('ThingInput') } }, 'post')).toMatchObject({
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, code: { type: 'string' } },
            additionalProperties: false,
          },
        },
      },
    },
  });
});

test('defaults are filled in when a record is created, and never when it is changed', () => {
  const requestBody = json('WithDefault');
  expect(JSON.stringify(shardOf({ requestBody }, 'post'))).toContain('"default":true');
  expect(JSON.stringify(shardOf({ requestBody }, 'patch'))).not.toContain('"default":true');
});
