import { expect, test, vi } from 'vitest';
import { isPage } from './json-body.ts';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json';

function responseOf(type: string, body: string) {
  return { headers: { 'content-type': type }, body: Buffer.from(body) };
}

test.each([
  [JSON_TYPE, '<!DOCTYPE html>', true],
  [JSON_TYPE, `${' \r\n\t'.repeat(1000)}<html lang="en">`, true],
  [JSON_TYPE, '\uFEFF <head>', true],
  [JSON_TYPE, '<htmlish>', false],
  [JSON_TYPE, '["<html>"]', false],
  [JSON_TYPE, '', false],
  [HTML, 'Sign in', true],
  [HTML, '\n é', true],
  [HTML, '', false],
  [HTML, ' \r\n', false],
  [HTML, '\uFEFF', false],
])('a response of the type %s is recognized as a page: %j', (type, body, isOne) => {
  expect(isPage(responseOf(type, body))).toBe(isOne);
});

test.each([JSON_TYPE, HTML])('only the beginning of a response is decoded to recognize a page (%s)', (type) => {
  const response = responseOf(type, `[${'"Müller",'.repeat(100_000)}null]`);
  const decoded = vi.spyOn(response.body, 'toString');
  isPage(response);
  const lengths = decoded.mock.results.map(({ value }) => String(value).length);
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(100);
});
