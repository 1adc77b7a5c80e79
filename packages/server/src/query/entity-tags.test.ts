import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { codedTag, IF_MATCH, matchesTag, matchingTag, strongTags } from './entity-tags.ts';

it.each([
  ['"a"', '"a"'],
  ['W/"a"', 'W/"a"'],
  ['"b", W/"a"', 'W/"a"'],
  ['"b","a-gzip"', '"a-gzip"'],
  ['*', '"a"'],
  [' * ', '"a"'],
])('If-None-Match: %s contains the tag "a"', (header, matching) => {
  expect(matchingTag(header, '"a"')).toBe(matching);
  expect(matchesTag(header, 'W/"a"')).toBe(true);
});

it.each([undefined, '', '"b"', 'a', '"A"', '"a-deflate"', '"x,*"', "'a'"])(
  'If-None-Match: %s does not contain it',
  (header) => {
    expect(matchingTag(header, '"a"')).toBeUndefined();
    expect(matchesTag(header, '"a"')).toBe(false);
  },
);

it('a strong tag names the coding of its response, a weak one does not', () => {
  expect(codedTag('"a"', 'br')).toBe('"a-br"');
  expect(codedTag('W/"a"', 'br')).toBe('W/"a"');
});

it('If-Match accepts strong tags, with any coding, and any version with an asterisk', () => {
  expect(strongTags('"a", W/"b", "c-zstd","e.f"')).toEqual(['a', 'c', 'e.f']);
  expect(strongTags('W/"b"')).toEqual([]);
  expect(strongTags('*')).toBeUndefined();
  expect(strongTags(',"a",, "b" ,')).toEqual(['a', 'b']);
});

it.each(['nonsense', 'a', '"a', '"a" b', '"a""b"', '*, "a"', ',', '', '"é"', "'a'"])(
  'If-Match: %s is refused',
  (sent) => {
    expect(() => strongTags(sent)).toThrow(expect.objectContaining({ code: 'SERVICE_INVALID_PARAMETER' }));
  },
);

it('If-Match has the pattern that the document describes', () => {
  const parameters = new URL('../../../../openapi/shared/parameters.yaml', import.meta.url);
  const described = load(readFileSync(parameters, 'utf8')) as Readonly<Record<string, { schema: { pattern: string } }>>;
  expect(IF_MATCH.source).toBe(new RegExp(described.ifMatch?.schema.pattern ?? '').source);
});
