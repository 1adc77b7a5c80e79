import { expect, it } from 'vitest';
import { describePositions } from './describe-positions.ts';
import { documentOf, json, thingSchemas } from './document-of.ts';
import type { Document } from './openapi.ts';

const tags = ['Things'];
const response = (name: string) => ({ $ref: `#/components/responses/${name}` });
const one = { '200': response('ThingResponse') };
const POSITION = { $ref: '#/components/parameters/dataPosition' };
const ID = { name: 'id', in: 'path' };

const paths = {
  '/things': {
    get: { operationId: 'listThings', tags, responses: { '200': response('ThingPage') } },
    post: {
      operationId: 'createThing',
      tags,
      requestBody: json('ThingInput'),
      responses: { '202': response('Queued') },
    },
  },
  '/things/{id}': { get: { operationId: 'getThing', tags, parameters: [ID], responses: one } },
  '/report': { get: { operationId: 'getReport', tags, responses: { '200': response('Report') } } },
  '/query': { post: { operationId: 'runQuery', tags, parameters: [POSITION], responses: { '200': response('Rows') } } },
} as Parameters<typeof documentOf>[0];

const responses = {
  ThingResponse: { description: 'A thing', ...json('ThingResponse') },
  ThingPage: { description: 'Things', ...json('ThingPage') },
  Queued: { description: 'The write', headers: { 'X-Own': {} }, ...json('WriteRecord') },
  Report: { description: 'A report' },
  Rows: { description: 'Rows' },
};

function documentWith(parameters: object): Document {
  const document = documentOf(paths, thingSchemas);
  return { ...document, components: { ...document.components, parameters, responses } } as Document;
}

const described = describePositions(documentWith({ dataPosition: {} }));
const shared = described.components.responses as Readonly<Record<string, { readonly headers?: object }>>;

it('reads of records accept the position that they need', () => {
  expect(described.paths['/things']?.get?.parameters).toEqual([POSITION]);
  expect(described.paths['/things/{id}']?.get?.parameters).toEqual([ID, POSITION]);
});

it('the responses of all other operations on data have a position, next to the headers that they have', () => {
  const header = { 'Data-Position': { $ref: '#/components/headers/Data-Position' } };
  expect(shared.Queued?.headers).toEqual({ 'X-Own': {}, ...header });
  expect(shared.Report?.headers).toEqual(header);
  expect(shared.ThingPage).not.toHaveProperty('headers');
  expect(shared.ThingResponse).not.toHaveProperty('headers');
});

it('an operation that has the parameter itself is a read', () => {
  expect(described.paths['/query']?.post?.parameters).toEqual([POSITION]);
  expect(shared.Rows).not.toHaveProperty('headers');
});

it('a document without the parameter stays as it is', () => {
  const plain = documentWith({});
  expect(describePositions(plain)).toBe(plain);
});
