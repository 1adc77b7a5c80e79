import { expect, test } from 'vitest';
import { framingOrigin } from './embedding.ts';

test.each([
  ['https://portal.northwind.example/callback?tenant=7', 'https://portal.northwind.example'],
  ['https://PORTAL.Northwind.example:443/', 'https://portal.northwind.example'],
  ['https://portal.northwind.example:8443/cb', 'https://portal.northwind.example:8443'],
  ['http://localhost:3000/cb', 'http://localhost:3000'],
  ['https://bücher.example/cb', 'https://xn--bcher-kva.example'],
])('the origin of %s is %s', (uri, origin) => {
  expect(framingOrigin(uri)).toBe(origin);
});

test.each([
  'https://*.northwind.example/cb',
  'https://*/cb',
  'https://a;frame-ancestors/cb',
  "https://'self'/cb",
  'https://a,b/cb',
  'http://[::1]:3000/cb',
])('pages of %s cannot embed others', (uri) => {
  expect(framingOrigin(uri)).toBeUndefined();
});
