import { expect, test } from 'vitest';
import { documentOf, ref } from './document-of.ts';
import { inline } from './inline.ts';

const document = documentOf(
  {},
  {
    Name: { type: 'string', description: 'A name.', examples: ['x'], maxLength: 5, default: 'y' },
    Tree: { type: 'object', properties: { children: { type: 'array', items: ref('Tree') } } },
    Pair: { type: 'object', 'x-own': true, properties: { description: ref('Name'), second: { anyOf: [ref('Name')] } } },
  },
);

test('references are replaced, and descriptions are left out, but not properties with such names', () => {
  const name = { type: 'string', maxLength: 5, default: 'y' };
  expect(inline(document, ref('Pair'))).toEqual({
    type: 'object',
    properties: { description: name, second: { anyOf: [name] } },
  });
});

test('defaults are omitted on request', () => {
  expect(inline(document, ref('Name'), { defaults: false })).toEqual({ type: 'string', maxLength: 5 });
});

test('a schema that contains itself is refused by name', () => {
  expect(() => inline(document, ref('Tree'))).toThrow('A request may not contain itself: Tree > Tree.');
});
