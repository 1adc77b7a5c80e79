import { expect, it } from 'vitest';
import { breaksBetween, judge } from './breaks.ts';
import { documentOf, json, ref } from './document-of.ts';
import type { Document, PathItem, Schema } from './openapi.ts';
import { releasedForm } from './released-form.ts';

const fields: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 10, description: 'Name.' },
    state: { type: 'string', enum: ['open'] },
    description: { type: 'string' },
  },
};
const input: Schema = { allOf: [ref('Fields')], required: ['name'], unevaluatedProperties: false };
const paths = {
  '/things': {
    get: {
      operationId: 'listThings',
      tags: ['Things'],
      responses: { '200': { description: 'All.', ...json('Fields') } },
    },
    post: { operationId: 'createThing', tags: ['Things'], requestBody: json('Input'), responses: {} },
  },
  '/other': { get: { operationId: 'getOther', tags: ['Things'], responses: {} } },
} as unknown as Record<string, PathItem>;

function released(schemas: Record<string, Schema> = {}, own = paths): Document {
  return releasedForm(documentOf(own, { Fields: fields, Input: input, ...schemas }));
}

function changes(revision: Document): readonly string[] {
  return breaksBetween(released(), revision).map(({ change }) => change);
}

it('a removed path and a removed property are breaks', () => {
  const { '/things': things = {} } = paths;
  expect(changes(released({}, { '/things': things }))).toEqual(['Path `/other` was removed.']);
  const { description, ...kept } = fields.properties ?? {};
  expect(changes(released({ Fields: { ...fields, properties: kept } }))).toEqual([
    'Property `description` of `Fields` was removed.',
    'Property `description` of `Input` was removed.',
  ]);
});

it('another type, a narrower limit and a new required property are breaks', () => {
  const { name } = fields.properties ?? {};
  const narrower = { ...fields, properties: { ...fields.properties, name: { ...name, maxLength: 5 } } };
  expect(changes(released({ Fields: narrower }))).toContain("`maxLength` of `name` changed from '10' to '5'.");
  const integer = { ...fields, properties: { ...fields.properties, state: { type: 'integer' } } };
  expect(changes(released({ Fields: integer })).join()).toContain('Type of `state`');
  expect(changes(released({ Input: { ...input, required: ['name', 'state'] } }))).toEqual([
    'Properties of `Input` became required: `state`.',
  ]);
});

it('other words, a new value and a new field are not breaks', () => {
  const properties = {
    ...fields.properties,
    name: { type: 'string', maxLength: 10, description: 'Other words.', examples: ['A'] },
    state: { type: 'string', enum: ['open', 'closed'] },
    note: { type: 'string' },
  };
  expect(changes(released({ Fields: { ...fields, properties } }))).toEqual([]);
});

it('a break is accepted if it is listed, and a listed break must exist', () => {
  const found = { at: '#/paths/~1other', change: 'Path `/other` was removed.' };
  const listed = { ...found, reason: 'Nothing calls it.' };
  expect(judge([found], [])).toEqual({ unexpected: [found], outdated: [] });
  expect(judge([found], [listed])).toEqual({ unexpected: [], outdated: [] });
  expect(judge([], [listed])).toEqual({ unexpected: [], outdated: [listed] });
});
