import { describe, expect, it } from 'vitest';
import { checkJson } from './read-body.ts';

const nested = (levels: number) => JSON.parse('[['.repeat(levels) + ']]'.repeat(levels));

describe('a body', () => {
  it('may contain any text and number, and moderate nesting', () => {
    expect(() => checkJson({ name: 'Ä 🚚 \u0001', lines: [{ quantity: 1.5 }, null, true] })).not.toThrow();
    expect(() => checkJson(nested(16))).not.toThrow();
  });

  it.each([
    ['a NUL byte', '{"lines":[{"name":"a\\u0000b"}]}', 'body/lines/0/name'],
    ['a lone surrogate', '{"name":"a\\ud800b"}', 'body/name'],
    ['a NUL byte in a name', '{"a\\u0000":1}', 'body'],
  ])('is refused with %s, which is not valid text, with its path', (_, text, path) => {
    expect(() => checkJson(JSON.parse(text))).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID_ENCODING', details: [expect.objectContaining({ path })] }),
    );
  });

  it.each([
    ['__proto__', '{"x":{"__proto__":{"admin":true}}}', 'body/x/__proto__'],
    ['constructor', '{"constructor":1}', 'body/constructor'],
  ])('is refused with %s, with its path', (_, text, path) => {
    expect(() => checkJson(JSON.parse(text))).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID_BODY', details: [expect.objectContaining({ path })] }),
    );
  });

  it('is refused when it has too many values', () => {
    expect(() => checkJson({ lines: Array(49_990).fill(0) })).not.toThrow();
    expect(() => checkJson({ lines: Array(50_000).fill(0) })).toThrow(/50000 values/);
  });

  it('is refused if nested too deeply, at any depth', () => {
    expect(() => checkJson(nested(17))).toThrow(/nested/);
    expect(() => checkJson(nested(200_000))).toThrow(/nested/);
  });
});
