import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { parseExpand } from './expand.ts';
import { parseFields } from './fields.ts';

const fields = (text?: string, expand?: string) =>
  parseFields(entities.Vendor, text, parseExpand(entities.Vendor, { expand }));

describe('fields', () => {
  it('are all when none are named', () => {
    expect(fields()).toBeUndefined();
    expect(fields(undefined, 'currency')).toBeUndefined();
  });

  it('are the id, those named and those to expand, each once', () => {
    expect([...(fields('name,_updatedAt,name') ?? [])]).toEqual(['id', 'name', '_updatedAt']);
    expect([...(fields('id,name', 'currency,accountPayable.parent') ?? [])]).toEqual([
      'id',
      'name',
      'currency',
      'accountPayable',
    ]);
  });

  it.each(['', 'name,', 'name, code', 'colour', '__proto__', 'constructor', 'currency.name'])(
    'refuses %j and names the fields that there are',
    (text) => {
      const allowed = expect.arrayContaining(['id', 'name', 'currency']);
      expect(() => fields(text)).toThrow(
        expect.objectContaining({
          code: 'SERVICE_INVALID_FIELDS',
          details: [
            expect.objectContaining({
              path: 'query/fields',
              message: expect.stringContaining('has no field'),
              allowed,
            }),
          ],
        }),
      );
    },
  );
});
