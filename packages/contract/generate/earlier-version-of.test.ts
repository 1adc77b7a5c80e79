import { expect, test } from 'vitest';
import { documentOf } from './document-of.ts';
import { earlierVersionOf } from './earlier-version-of.ts';
import type { Document } from './openapi.ts';

const since = '@1795132800';

function document(version: Document['x-earlier-version'], headers = { Deprecation: { schema: { const: since } } }) {
  const usual = documentOf({}, {});
  const named = version && { 'x-earlier-version': version };
  return { ...usual, ...named, servers: [{ url: '/v2' }], components: { ...usual.components, headers } } as Document;
}

test('the earlier version has the address that the document names, and the date of the deprecation', () => {
  expect(earlierVersionOf(document({ name: 'v1', base: '/v1' }))).toEqual({ name: 'v1', base: '/v1', since });
});

test('it cannot have the address of a server', () => {
  expect(() => earlierVersionOf(document({ name: 'v1', base: '/v2' }))).toThrow('/v2 is the address of a server.');
});

test('a document without it, or without the date, is refused', () => {
  expect(() => earlierVersionOf(document(undefined))).toThrow('needs x-earlier-version');
  expect(() => earlierVersionOf(document({ name: 'v1', base: '/v1' }, {} as never))).toThrow('the date of the header');
});
