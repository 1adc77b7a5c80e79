import { expect, test } from 'vitest';
import { joinUrl } from './join-url.ts';

test.each([
  ['https://erp.example', '/a/b?c=d', 'https://erp.example/a/b?c=d'],
  ['https://erp.example/odata/v4', 'Orders(1)', 'https://erp.example/odata/v4/Orders(1)'],
  ['https://erp.example/odata/v4/', '//evil.example/x', 'https://erp.example/odata/v4/evil.example/x'],
])('%s and %s make %s', (base, path, joined) => {
  expect(joinUrl(base, path).href).toBe(joined);
});

test.each([
  ['https://erp.example/odata/', '../admin'],
  ['https://erp.example/odata/', '%2e%2e/admin'],
  ['https://erp.example/odata/', 'https://evil.example/odata/'],
  ['https://erp.example/odata/', '\\\\evil.example\\odata\\'],
])('%s does not let %s lead out', (base, path) => {
  expect(() => joinUrl(base, path)).toThrow(TypeError);
});
