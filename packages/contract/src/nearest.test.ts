import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const FIELDS = ['name', 'code', 'isActive', 'statusCategory', 'legalName', 'currency', 'date'];

describe('the nearest name', () => {
  it.each([
    ['nmae', 'name'],
    ['nam', 'name'],
    ['namee', 'name'],
    ['Currency', 'currency'],
    ['curency', 'currency'],
    ['is_active', 'isActive'],
    ['statuscategroy', 'statusCategory'],
    ['legal-name', 'legalName'],
  ])('of %s is %s', (sent, meant) => {
    expect(nearest(sent, FIELDS)).toBe(meant);
  });

  it.each(['', '_', 'x', 'xyz', 'note', 'warehouse', 'x'.repeat(1_000_000)])(
    'is undefined if nothing is close (case %#)',
    (sent) => {
      expect(nearest(sent, FIELDS)).toBeUndefined();
    },
  );

  it('is never a guess for a single letter', () => {
    expect(nearest('x', ['a', 'b'])).toBeUndefined();
    expect(nearest('ne', ['eq', 'neq', 'in'])).toBe('neq');
  });

  it('is the first of several that are equally close', () => {
    expect(nearest('linez', ['lines', 'liner'])).toBe('lines');
  });

  it('is undefined without candidates', () => {
    expect(nearest('name', [])).toBeUndefined();
  });
});
