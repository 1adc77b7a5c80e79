import { describe, expect, it } from 'vitest';
import { clearedInput } from './cleared-input.ts';
import { entities } from './entities.ts';
import type { Entity, Field } from './entity.ts';

function entityWith(...fields: Partial<Field>[]): Entity {
  const complete = fields.map(
    (field) => ({ name: 'x', kind: 'text', nullable: false, required: false, writable: true, ...field }) as Field,
  );
  return { ...entities.Vendor, fields: complete };
}

describe('a PUT body', () => {
  it('clears omitted fields, each to the empty value of its kind', () => {
    const entity = entityWith(
      { name: 'legalName', nullable: true },
      { name: 'terms' },
      { name: 'tags', kind: 'texts' },
      { name: 'emails', kind: 'objects' },
      { name: 'address', kind: 'object', nullable: true },
      { name: 'owner', kind: 'relation', nullable: true },
      { name: 'members', kind: 'relations' },
    );
    expect(clearedInput(entity, {})).toEqual({
      legalName: null,
      terms: '',
      tags: [],
      emails: [],
      address: null,
      owner: null,
      members: [],
    });
  });

  it('keeps sent values, including null and false', () => {
    const entity = entityWith({ name: 'legalName', nullable: true }, { name: 'isActive', kind: 'boolean' });
    expect(clearedInput(entity, { legalName: 'ACME', isActive: false })).toEqual({
      legalName: 'ACME',
      isActive: false,
    });
  });

  it('does not change fields that are read-only or have no empty value', () => {
    const entity = entityWith(
      { name: 'id', writable: false, nullable: true },
      { name: 'code' },
      { name: 'isActive', kind: 'boolean' },
      { name: 'quantity', kind: 'number' },
    );
    expect(clearedInput(entity, {})).toEqual({});
  });
});
