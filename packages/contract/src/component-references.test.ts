import { expect, it } from 'vitest';
import { isRelation, referencedNames, resolve } from './component-references.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it('a reference is resolved with the keywords next to it, through further references', () => {
  const document = { components: { schemas: { A: { ...ref('B'), title: 'A' }, B: { type: 'string', title: 'B' } } } };
  expect(resolve(document, { ...ref('A'), description: 'Own.' })).toEqual({
    type: 'string',
    title: 'A',
    description: 'Own.',
  });
  expect(resolve({ paths: { '/a/b': { get: 1 } } }, { $ref: '#/paths/~1a~1b' })).toEqual({ get: 1 });
  expect(() => resolve(document, ref('C'))).toThrow('The document has no #/components/schemas/C.');
});

it('a relation is a reference, a choice that includes one, or a list of either', () => {
  const choice = { anyOf: [ref('Relation'), ref('Vendor'), {}] };
  expect(referencedNames({ items: choice })).toEqual(['Relation', 'Vendor']);
  for (const schema of [ref('Relation'), choice, { items: choice }]) expect(isRelation(schema)).toBe(true);
  for (const schema of [{}, ref('Vendor'), ref('RelationInput')]) expect(isRelation(schema)).toBe(false);
});
