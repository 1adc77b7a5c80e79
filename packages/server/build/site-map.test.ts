import { clientDocument } from '@unified/contract';
import { expect, test } from 'vitest';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { groupsOf, linkFrom, siteMap } from './site-map.ts';

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

test('a tag of webhooks, which has no operations, is not a group', () => {
  const document = clientDocument() as unknown as ReferenceDocument;
  const site = siteMap(document);
  expect(document.tags.map(({ name }) => name)).toContain('Webhook Events');
  expect(groupsOf(site).filter(({ operations }) => operations.length === 0)).toEqual([]);
  const deprecated = site.areas.filter(({ name }) => name === 'Deprecated');
  expect(
    deprecated.flatMap(({ groups }) => groups).every(({ operations }) => operations.every((each) => each.deprecated)),
  ).toBe(true);
});
