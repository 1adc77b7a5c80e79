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

test('every tag of the document is a group, and only deprecated operations are in the last area', () => {
  const document = clientDocument() as unknown as ReferenceDocument;
  const site = siteMap(document);
  expect(
    groupsOf(site)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(document.tags.map(({ name }) => name).toSorted());
  const deprecated = site.areas.filter(({ name }) => name === 'Deprecated');
  expect(
    deprecated.flatMap(({ groups }) => groups).every(({ operations }) => operations.every((each) => each.deprecated)),
  ).toBe(true);
});
