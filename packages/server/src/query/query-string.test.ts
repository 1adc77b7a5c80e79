import { describe, expect, it } from 'vitest';
import { readQueryString } from './query-string.ts';

describe('a query string', () => {
  it('is decoded, with filter conditions separate', () => {
    const query = readQueryString('per_page=5&filter[name:contains]=a%20b+c&filter%5Bcode%5D=x%26y&&sort=-name,code');
    expect({ ...query.parameters }).toEqual({ per_page: '5', sort: '-name,code' });
    expect([...query.filter]).toEqual([
      ['name:contains', 'a b c'],
      ['code', 'x&y'],
    ]);
  });

  it('may be empty', () => {
    expect(readQueryString('').filter.size).toBe(0);
  });

  it.each([
    ['{"name:contains":"a+b","isActive":"true"}'],
    ['{"name":{"contains":"a+b"},"isActive":"true"}'],
    ['{"name":{"contains":"a+b"},"isActive":{"eq":"true"}}', 'isActive:eq'],
  ])('contains all conditions as JSON: %s', (json, isActive = 'isActive') => {
    const { filter, parameters } = readQueryString(`page=2&filter=${encodeURIComponent(json)}&filter[code]=x`);
    expect([...filter]).toEqual([
      ['name:contains', 'a+b'],
      [isActive, 'true'],
      ['code', 'x'],
    ]);
    expect({ ...parameters }).toEqual({ page: '2' });
  });

  it.each([
    ['name', 'SERVICE_INVALID_FILTER'],
    ['', 'SERVICE_INVALID_FILTER'],
    ['{"name":', 'SERVICE_INVALID_FILTER'],
    ['null', 'SERVICE_INVALID_FILTER'],
    ['[]', 'SERVICE_INVALID_FILTER'],
    ['{"isActive":true}', 'SERVICE_INVALID_FILTER'],
    ['{"name":["a"]}', 'SERVICE_INVALID_FILTER'],
    ['{"name":{"contains":{"x":"a"}}}', 'SERVICE_INVALID_FILTER'],
    ['{"name:contains":"a","name":{"contains":"b"}}', 'SERVICE_INVALID_FILTER'],
    ['{"__proto__":"1"}', 'SERVICE_INVALID_FILTER'],
    ['{"name":"\\u0000"}', 'SERVICE_INVALID_ENCODING'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, '1']))), 'SERVICE_URI_TOO_LONG'],
  ])('is refused with these conditions: %.60s', (json, code) => {
    const text = `filter=${encodeURIComponent(json)}`;
    expect(() => readQueryString(text)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['page=1&page=2', 'SERVICE_INVALID_PARAMETER'],
    ['page=%E0%A4%A', 'SERVICE_INVALID_ENCODING'],
    ['page=%ff', 'SERVICE_INVALID_ENCODING'],
    ['x=%00', 'SERVICE_INVALID_ENCODING'],
    ['__proto__=1', 'SERVICE_INVALID_PARAMETER'],
    ['constructor=1', 'SERVICE_INVALID_PARAMETER'],
    ['filter[__proto__]=1', 'SERVICE_INVALID_FILTER'],
    ['filter[constructor]=1', 'SERVICE_INVALID_FILTER'],
    ['filter[name]=1&filter%5Bname%5D=2', 'SERVICE_INVALID_FILTER'],
    ['filter[name]=a%00b', 'SERVICE_INVALID_ENCODING'],
    ['filter[name][x]=1', 'SERVICE_INVALID_FILTER'],
    ['filter[[name]]=1', 'SERVICE_INVALID_FILTER'],
    ['filter[name=1', 'SERVICE_INVALID_FILTER'],
    [`page=${'1'.repeat(17_000)}`, 'SERVICE_URI_TOO_LONG'],
    [Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&'), 'SERVICE_URI_TOO_LONG'],
  ])('is refused: %.60s', (text, code) => {
    expect(() => readQueryString(text)).toThrow(expect.objectContaining({ code }));
  });
});
