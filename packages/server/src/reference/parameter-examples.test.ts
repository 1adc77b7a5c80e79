import { expect, test } from 'vitest';
import { pathExamples, queryExamples } from './parameter-examples.ts';
import type { DocumentParameter, ReferenceDocument } from './reference-document.ts';

const documentOf = (
  path: string,
  shared: DocumentParameter[],
  own: DocumentParameter[] = [],
): Pick<ReferenceDocument, 'paths' | 'components'> => ({
  paths: { [path]: { parameters: shared, get: { parameters: own } } },
  components: { parameters: { id: { name: 'id', in: 'path', example: 'a1' } } },
});
const examples = (path: string, ...parameters: [DocumentParameter[], DocumentParameter[]?]) =>
  pathExamples(documentOf(path, ...parameters), { path, method: 'get' });

test('the parameters of a path are filled with their own examples, wherever they are described', () => {
  const entity = { name: 'entity', in: 'path', example: 'PurchaseOrder' };
  const revision = { name: 'revision', in: 'path', example: 3 };
  const page = { name: 'page', in: 'query', example: 7 };
  const shared = [{ $ref: '#/components/parameters/id' }, entity];
  expect(examples('/things/{id}/{entity}/{revision}', shared, [revision, page])).toEqual({
    id: 'a1',
    entity: 'PurchaseOrder',
    revision: 3,
  });
});

test('a parameter without an example is an error in the document', () => {
  expect(() => examples('/things/{id}', [{ name: 'id', in: 'path' }])).toThrow('the parameter id has no example');
});

test('the query contains the required parameters of an operation', () => {
  const kind = { name: 'kind', in: 'query', required: true, example: 'code' };
  const page = { name: 'page', in: 'query', example: 7 };
  expect(queryExamples(documentOf('/things', [kind, page]), { path: '/things', method: 'get' })).toEqual({
    kind: 'code',
  });
  const bare = documentOf('/things', [{ name: 'kind', in: 'query', required: true }]);
  expect(() => queryExamples(bare, { path: '/things', method: 'get' })).toThrow('the parameter kind has no example');
});
