import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const root = (property: string) => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
${things
  .replace('readOnly: true, description: State. }', `readOnly: true, description: State. }, ${property}`)
  .replace('  schemas:', '  schemas:\n    Relation: { type: object }')}`;

const schema = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
const relation = (...names: string[]) => `anyOf: [${names.map(schema).join(', ')}, { type: 'null' }]`;
const within = (more: string) => `lines: { type: array, items: { type: object, properties: { thing: { ${more} } } } }`;
const at = '#/components/schemas/Thing/allOf/2/properties';

test.each([
  ['of a record names its target in `anyOf`', `thing: { ${relation('Relation', 'Thing')} }`, []],
  [
    'of a record by `x-references`',
    `thing: { x-references: [Thing], ${relation('Relation')} }`,
    [`${at}/thing a relation of a record must name its targets in \`anyOf\`, not by \`x-references\`.`],
  ],
  ['within objects by `x-references`', within(`x-references: [Thing], ${relation('Relation')}`), []],
  [
    'in a list within an object that may be absent',
    `origin: { anyOf: [{ type: object, properties: { things: { type: array, items: { $ref: '#/components/schemas/Relation', x-references: [Thing] } } } }, { type: 'null' }] }`,
    [],
  ],
  [
    'within objects as in a record',
    within(relation('Relation', 'Thing')),
    [
      `${at}/lines/items/properties/thing a relation within an object must name its targets in \`x-references\`.`,
      `${at}/lines/items/properties/thing a relation within an object is not expanded; leave the target out of \`anyOf\`.`,
    ],
  ],
])('a relation %s', async (_, property, problems) => {
  expect(await reported('references', root(property))).toEqual(problems);
});
