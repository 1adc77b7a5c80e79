import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { parseListQuery, parseSort } from './list-query.ts';
import { readQueryString } from './query-string.ts';
import { everything } from './token-access.ts';

const defaults = { page: 1, per_page: 50, with_total: false };
const parse = (text: string, parameters: object = {}) =>
  parseListQuery(entities.Vendor, { ...defaults, ...parameters }, readQueryString(text), {
    narrow: everything,
  });

describe('a list request', () => {
  it('requests the first page by default', () => {
    const { query, paging } = parse('');
    expect(query).toMatchObject({ conditions: [], sort: [], limit: 50, offset: 0, withTotal: false });
    expect(paging).toEqual({ limit: 50, page: 1, cursor: null });
  });

  it('turns a page number into an offset', () => {
    expect(parse('page=3', { page: 3, per_page: 20 }).query).toMatchObject({ limit: 20, offset: 40 });
  });

  it('continues at a cursor', () => {
    const { query, paging } = parse('cursor=abc', { cursor: 'abc' });
    expect(query).toMatchObject({ limit: 50, cursor: 'abc' });
    expect(query).not.toHaveProperty('offset');
    expect(paging.page).toBeNull();
  });

  it('refuses a page together with a cursor', () => {
    expect(() => parse('page=1&cursor=abc', { cursor: 'abc' })).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID_PARAMETER' }),
    );
  });

  it('reads modified_after as a condition on _updatedAt, besides the filter', () => {
    const { query } = parse('filter[name]=x', { modified_after: '2026-11-01' });
    expect(query.conditions.map(({ field, operator, value }) => [field.name, operator, value])).toEqual([
      ['name', 'eq', 'x'],
      ['_updatedAt', 'gt', '2026-11-01T00:00:00Z'],
    ]);
  });

  it('refuses a day in modified_after that does not exist', () => {
    expect(() => parse('', { modified_after: '2026-02-30' })).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID_PARAMETER', message: expect.stringContaining('2026-11-01T') }),
    );
  });
});

const terms = (text?: string) =>
  parseSort(entities.Vendor, text).map(({ field, descending }) => [field.name, descending]);

describe('sort', () => {
  it('is empty if nothing is requested', () => {
    expect(terms()).toEqual([]);
  });

  it('reads fields in order, a minus for descending', () => {
    expect(terms('-_updatedAt,name')).toEqual([
      ['_updatedAt', true],
      ['name', false],
    ]);
  });

  it.each([
    'colour',
    '',
    'name,',
    '--name',
    'currency',
    'name,-name',
    'constructor',
    'code,name,terms,id,_idValue,_source',
  ])('refuses %j and lists the fields that can be used', (text) => {
    expect(() => terms(text)).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID_SORT',
        details: [expect.objectContaining({ allowed: expect.arrayContaining(['name', '_updatedAt']) })],
      }),
    );
  });
});
