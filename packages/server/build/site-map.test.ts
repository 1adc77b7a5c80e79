import { expect, test } from 'vitest';
import { linkFrom } from './site-map.ts';

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
