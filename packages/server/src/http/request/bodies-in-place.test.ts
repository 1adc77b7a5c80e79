import { expect, test } from 'vitest';
import { bodiesInPlace } from './bodies-in-place.ts';

const code = { type: 'object', properties: { code: { type: 'string' } } };
const line = { type: 'array', items: { $ref: '#/components/schemas/Code' } };

const shardWith = (schema: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '4' },
  paths: {
    '/things': {
      get: { operationId: 'listThings' },
      post: { requestBody: { required: true, content: { 'application/json': { schema, 'x-maxBytes': 9 } } } },
    },
  },
  components: { schemas: { Code: code } },
});

test('a body that refers to a schema gets the schema itself', () => {
  expect(bodiesInPlace(shardWith({ $ref: '#/components/schemas/Code' }))).toEqual(shardWith(code));
});

test('references within a body, and operations without one, stay as they are', () => {
  expect(bodiesInPlace(shardWith(line))).toEqual(shardWith(line));
});
