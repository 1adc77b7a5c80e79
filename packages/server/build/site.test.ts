import { errorTable } from '@unified/contract';
import { expect, test } from 'vitest';
import { errorText } from './error-page.ts';
import { guidesOf } from './guides.ts';
import { html } from './html.ts';
import type { DocumentSchema, ReferenceDocument } from './reference-document.ts';
import { propertiesOf } from './schema.ts';
import { typeOf } from './schema-type.ts';
import { linkFrom } from './site-map.ts';

const infoOf = (description: string) => ({ title: 'API', version: '1.0.0', summary: '', description });

test.each([
  { from: '/docs', to: '/docs/filtering', link: 'docs/filtering' },
  { from: '/docs/filtering', to: '/docs', link: '../docs' },
  { from: '/docs/api/vendors', to: '/docs', link: '../../docs' },
  { from: '/docs/api/vendors', to: '/docs/api/assets#fields', link: 'assets#fields' },
  { from: '/docs/api/vendors', to: '/docs/api/vendors#fields', link: '#fields' },
  { from: '/docs/errors', to: '/openapi.json', link: '../openapi.json' },
])('the link from $from to $to is $link', ({ from, to, link }) => {
  expect(linkFrom(from, to)).toBe(link);
  for (const root of ['', '/erp']) {
    const { pathname, hash } = new URL(link, `http://gate.example${root}${from}`);
    expect(pathname + hash).toBe(root + to);
  }
});

test('each section of the description is a guide, and comments in code begin none', () => {
  const guides = guidesOf(
    infoOf('Hello.\n\n# Quickstart\n\n```sh\n# a comment\nrun\n```\n\n# Lists and paging\n\nText.'),
  );
  expect(guides).toEqual([
    { title: 'API', path: '/docs', text: 'Hello.\n\n```sh\n# a comment\nrun\n```' },
    { title: 'Lists and paging', path: '/docs/lists-and-paging', text: 'Text.' },
  ]);
  expect(() => guidesOf(infoOf('Hello.\n\n# Errors\n\nText.'))).toThrow('section Quickstart');
});

test('the errors as Markdown mark the codes of a later release', () => {
  const marked = errorText('<!-- error table -->').match(/^\| `(\w+)` .*Not available yet\./gm) ?? [];
  const planned = Object.values<{ planned: boolean }>(errorTable).filter((each) => each.planned);
  expect(planned.length).toBeGreaterThan(0);
  expect(marked).toHaveLength(planned.length);
});

test('texts in a template are escaped, other templates are not', () => {
  expect(html`<p title="${'"a"'}">${['<b>', html`<i>${1}</i>`, false, undefined]}</p>`.text).toBe(
    '<p title="&quot;a&quot;">&lt;b&gt;<i>1</i></p>',
  );
});

const schemas: Record<string, DocumentSchema> = {
  Entity: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
  Relation: { type: 'object' },
  Currency: { allOf: [{ $ref: '#/components/schemas/Entity' }, { properties: { name: { type: 'string' } } }] },
  Level: { type: 'integer', enum: [1, 2] },
  MaybeText: { anyOf: [{ type: 'string' }, { type: 'null' }] },
};
const document = { components: { schemas } } as unknown as ReferenceDocument;
const ref = (name: string): DocumentSchema => ({ $ref: `#/components/schemas/${name}` });

test('the properties of an object include those of its parts, and those that all records have come last', () => {
  expect(propertiesOf(document, ref('Currency')).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['name', false],
    ['id', true],
  ]);
});

const CURRENCY = '<a href="currencies#fields">Currency</a>';

test.each<{ schema: DocumentSchema; words: string }>([
  { schema: { type: ['string', 'null'], format: 'date-time' }, words: 'date-time or null' },
  { schema: { type: 'array', items: { type: 'string' } }, words: 'array of string' },
  {
    schema: { anyOf: [ref('Relation'), ref('Currency'), { type: 'null' }] },
    words: `reference to ${CURRENCY} or null`,
  },
  { schema: { type: 'array', items: ref('Currency') }, words: `array of ${CURRENCY}` },
  { schema: { ...ref('Relation'), 'x-references': ['Currency'] }, words: `reference to ${CURRENCY}` },
  { schema: ref('Relation'), words: 'reference' },
  { schema: ref('Level'), words: 'integer' },
  { schema: ref('MaybeText'), words: 'string or null' },
  { schema: { const: 'a' }, words: '<code>&quot;a&quot;</code>' },
  { schema: {}, words: 'any value' },
])('a type in words: $words', ({ schema, words }) => {
  const linkOf = (name: string) => (name === 'Currency' ? 'currencies#fields' : undefined);
  expect(typeOf(document, schema, linkOf).text).toBe(words);
});
