import { expect, test } from 'vitest';
import { isCreatedWith } from './created-record.ts';
import type { Wire } from './wire.ts';

const decimal = (text: string) => ({ __class__: 'Decimal', decimal: text });
const twoLines: Wire = [['create', [{}, {}]]];

test.each<[string, Wire, Wire, boolean]>([
  ['text', 'a', 'a', true],
  ['text', 'a', 'b', false],
  ['no text', null, '', true],
  ['a decimal with other zeros', decimal('1.1'), decimal('1.10'), true],
  ['another decimal', decimal('1.11'), decimal('1.1'), false],
  ['a day', { __class__: 'date', day: 1 }, { __class__: 'date', day: 1 }, true],
  ['another day', { __class__: 'date', day: 2 }, { __class__: 'date', day: 1 }, false],
  ['a boolean of a database without booleans', 1, true, true],
  ['the same number of lines', [4, 5], twoLines, true],
  ['fewer lines', [4], twoLines, false],
  ['lines that were not stored', null, twoLines, false],
])('%s: stored %j, sent %j: %s', (_, kept, sent, found) => {
  expect(isCreatedWith({ id: 1, field: kept }, { field: sent })).toBe(found);
});
