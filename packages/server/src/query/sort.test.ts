import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { parseSort } from './sort.ts';

const terms = (text?: string) =>
  parseSort(entities.Vendor, text).map(({ field, descending }) => [field.name, descending]);

describe('sort', () => {
  it('is empty when nothing is asked for', () => {
    expect(terms()).toEqual([]);
  });

  it('reads fields in order, a minus for downwards', () => {
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
  ])('refuses %j and names the fields that can be used', (text) => {
    expect(() => terms(text)).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID_SORT',
        details: [expect.objectContaining({ allowed: expect.arrayContaining(['name', '_updatedAt']) })],
      }),
    );
  });
});
