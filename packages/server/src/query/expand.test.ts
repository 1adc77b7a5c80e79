import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { type Expansion, parseExpand } from './expand.ts';

type Plain = { [name: string]: Plain };
const plain = (tree: Expansion): Plain => Object.fromEntries([...tree].map(([name, inner]) => [name, plain(inner)]));
const expand = (text?: string) => plain(parseExpand(entities.Vendor, { expand: text }));

describe('expand', () => {
  it('is empty when nothing is asked for', () => {
    expect(expand()).toEqual({});
  });

  it('reads relation fields, and those of their targets after a dot', () => {
    expect(expand('currency,accountPayable.organization,accountPayable.parent')).toEqual({
      currency: {},
      accountPayable: { organization: {}, parent: {} },
    });
  });

  it('refuses lines that are part of their record, and what they point to', () => {
    for (const text of ['lines', 'lines.account'])
      expect(() => parseExpand(entities.JournalEntry, { expand: text })).toThrow(
        '"lines" is no relation of JournalEntry',
      );
  });

  it.each([
    'name',
    'colour',
    '',
    'currency,',
    '__proto__',
    'accountPayable.name',
    'accountPayable.parent.parent',
    Array(21).fill('currency').join(','),
  ])('refuses %.40j and names the fields that can be used', (text) => {
    expect(() => expand(text)).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID_EXPAND',
        details: [expect.objectContaining({ path: 'query/expand' })],
      }),
    );
  });
});
