import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('properties that differ only in a leading underscore or in case are the same in other languages', async () => {
  const root = `
paths: {}
components:
  schemas:
    Base: { type: object, properties: { _source: { type: string }, code: { type: string } } }
    Alarm: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { source: { type: string } } }] }
    Case: { type: object, properties: { code: { type: string }, CODE: { type: string }, codes: { type: string } } }
`;
  expect(await reported('property-names', root)).toEqual([
    '#/components/schemas/Alarm `_source` and `source` become one name in some languages.',
    '#/components/schemas/Case `code` and `CODE` become one name in some languages.',
  ]);
});
