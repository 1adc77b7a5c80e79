import { expect, test } from 'vitest';
import { reported } from './reported.ts';

const MESSAGE = '#/components/schemas/Record `endedAt` is required and can be null: give it a named schema.';
const inPart = (endedAt: string, rest = '') => `
paths: {}
components:
  schemas:
    Ended: { type: [string, 'null'], format: date-time }
    Base: { type: object, required: [endedAt], properties: { endedAt: ${endedAt} } }
    Record: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object }]${rest} }
`;

test.for([
  [`{ type: [string, 'null'] }`, [MESSAGE]],
  [`{ anyOf: [{ type: string }, { type: 'null' }] }`, [MESSAGE]],
  [`{ type: string }`, []],
  [`{ type: [string, 'null'], enum: [a, null] }`, []],
  [`{ $ref: '#/components/schemas/Ended' }`, []],
  [`{ anyOf: [{ $ref: '#/components/schemas/Ended' }, { type: 'null' }] }`, []],
] as const)(
  'a property that a part of a record requires keeps its null in generated clients: %s',
  async ([schema, messages]) => {
    expect(await reported('required-null', inPart(schema))).toEqual(messages);
  },
);

test('bodies of requests, which are closed, are not concerned', async () => {
  const body = inPart(`{ type: [string, 'null'] }`, ', unevaluatedProperties: false');
  expect(await reported('required-null', body)).toEqual([]);
});
