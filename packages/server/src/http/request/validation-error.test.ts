import { type Operation, ServiceError } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { createValidator } from './validator.ts';

const closed = { type: 'object', additionalProperties: false };
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const medium = { type: ['string', 'null'], enum: ['phone', 'email', null] };
const schema = {
  ...closed,
  properties: {
    medium,
    kind: { type: 'string', enum: ['a', 'b'] },
    level: { type: 'integer', enum: [1, 2] },
    named: nullable({ type: 'string', enum: ['a', 'b'] }),
    since: nullable({ type: 'string', format: 'date' }),
    address: nullable({ ...closed, properties: { medium, city: { type: 'string', maxLength: 3 } } }),
    name: { type: ['string', 'null'] },
    until: { type: ['string', 'null'], format: 'date-time' },
    nothing: { type: 'null' },
    key: { type: 'string', format: 'uuid' },
    code: { type: 'string', minLength: 1 },
    tags: { type: 'array', maxItems: 1 },
    where: { type: 'object', minProperties: 1 },
    parts: { type: 'array', minItems: 1 },
    lines: { type: 'array', items: { ...closed, properties: { kind: nullable({ type: 'integer' }) } } },
  },
  ...JSON.parse(
    '{ "if": { "properties": { "kind": { "const": "a" } }, "required": ["kind"] }, "then": { "required": ["name"] } }',
  ),
};
const operation: Operation = {
  ...{ id: 'createThing', path: '/things', bases: ['/v4'], tag: 'Things', shard: 'things', surface: 'data' },
  method: 'post',
  kind: 'other',
  readsReplica: false,
  security: ['connectionToken'] as const,
  deprecated: false,
};
const validator = createValidator({
  things: {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    components: { schemas: {} },
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { default: { description: 'Not checked.' } },
        },
      },
    },
  },
});

async function refusalOf(body: object): Promise<unknown> {
  const request = { path: {}, query: {}, headers: {}, body };
  const described = {
    headers: [],
    integers: [],
    query: new Set<string>(),
    takesBody: true,
    needsBody: true,
    takesForm: false,
    takesFile: false,
  };
  return validator.validate(operation, described, request).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('each error of a body is reported once, with a remedy', () => {
  it.each([
    [{ medium: 'telex' }, ['body/medium: "telex" is not one of the values. Send one of phone, email, or null.']],
    [{ medium: 3 }, ['body/medium: Send one of phone, email, or null.']],
    [{ kind: 'x' }, ['body/kind: "x" is not one of the values. Send one of a, b.']],
    [{ level: 3 }, ['body/level: Send one of 1, 2.']],
    [{ named: 'x' }, ['body/named: "x" is not one of the values. Send one of a, b, or null.']],
    [{ named: 3 }, ['body/named: Send one of a, b, or null.']],
    [{ since: 'x' }, ['body/since: Send a date, such as 2026-11-20, or null.']],
    [{ since: 3 }, ['body/since: Send a value of type string or null.']],
    [{ address: 'x' }, ['body/address: Send a value of type object or null.']],
    [
      { address: { medium: 'x' } },
      ['body/address/medium: "x" is not one of the values. Send one of phone, email, or null.'],
    ],
    [
      { address: { city: 'Hamburg', colour: 1 } },
      [
        'body/address/colour: "colour" is unknown. Remove it, or see the reference of this operation.',
        'body/address/city: The value must not have more than 3 characters.',
      ],
    ],
    [{ name: 3 }, ['body/name: Send a value of type string or null.']],
    [{ until: 3 }, ['body/until: Send a value of type string or null.']],
    [{ key: 'V-1' }, ['body/key: Send a UUID such as 0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b.']],
    [{ parts: [] }, ['body/parts: The list must have at least 1 item.']],
    [{ code: '' }, ['body/code: The value must have at least 1 character.']],
    [{ tags: ['a', 'b'] }, ['body/tags: The list must not have more than 1 item.']],
    [{ where: {} }, ['body/where: The value must have at least 1 property.']],
    [{ nothing: 3 }, ['body/nothing: Send a value of type null.']],
    [{ kind: 'a' }, ['body/name: "name" is missing. Add it.']],
  ])('%j', async (body, messages) => {
    const error = await refusalOf(body);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'SERVICE_INVALID_BODY',
      message: messages.join(' '),
      details: messages.map((each) => ({ path: each.split(': ')[0], message: each.replace(/^[^:]+: /, '') })),
    });
  });

  it('accepts null where null is allowed', async () => {
    expect(await refusalOf({ medium: null, named: null, since: null, address: null, nothing: null })).toBeUndefined();
  });

  it('reports at most twenty paths', async () => {
    const error = await refusalOf({ lines: Array(30).fill({ kind: 'x' }) });
    expect(error).toMatchObject({ details: { length: 20, 19: { path: 'body/lines/19/kind' } } });
  });
});
