import { entities } from '@unified/contract';
import type { TokenAccess } from '@unified/store';
import { expect, it } from 'vitest';
import { shownText } from './field-selection.ts';
import { parseShape } from './record-shape.ts';
import { everything, narrowedTo } from './token-access.ts';

const stored = JSON.stringify({ id: '1', name: 'Ida Kern', annualRate: 52_000 });

function personFor(access: TokenAccess) {
  const narrow = narrowedTo(access);
  const entity = narrow(entities.Person);
  if (!entity) throw new Error('The access does not include Person.');
  return { entity, narrow };
}

it.each<[string, TokenAccess]>([
  ['none of its members', [{ entity: 'Person' }]],
  ['one of its members', [{ entity: 'Person' }, { entity: 'Contact' }]],
  ['a part of a member', [{ entity: 'Person' }, { entity: 'Contact' }, { entity: 'Employee', fields: ['name'] }]],
])('a view of several entities is returned with its own fields to a token for it and %s', (_name, access) => {
  const { entity, narrow } = personFor(access);
  expect(entity).toMatchObject({ isPartial: true, fields: expect.any(Array) });
  expect(entity.lacksFields).toBeUndefined();
  expect(parseShape(entity, {}, narrow).fields?.has('name')).toBe(true);
  expect(parseShape(entity, {}, narrow).fields?.has('annualRate')).toBe(false);
  expect(JSON.parse(shownText(entity, stored))).toEqual({ id: '1', name: 'Ida Kern' });
});

it('a view is returned as its records are stored to a token for all of its members', () => {
  const { entity, narrow } = personFor([{ entity: 'Person' }, { entity: 'Contact' }, { entity: 'Employee' }]);
  expect(entity.isPartial).toBeUndefined();
  expect(parseShape(entity, {}, narrow).fields).toBeUndefined();
  expect(shownText(entity, stored)).toBe(stored);
});

it('only a token for everything can request lineage, whose columns contain values of other records', () => {
  const { entity, narrow } = personFor([{ entity: 'Person' }, { entity: 'Contact' }, { entity: 'Employee' }]);
  expect(() => parseShape(entity, { extend: 'lineage' }, narrow)).toThrow('"lineage" is not a relation of Person.');
  expect(parseShape(entity, { extend: 'externalValues' }, narrow).externalValues).toBe(true);
  expect(parseShape(entities.Person, { extend: 'lineage' }, everything).lineage).toBe(true);
});
