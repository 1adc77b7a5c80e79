import { expect, test } from 'vitest';
import { customFieldFault, type LimitedField } from './custom-fault.ts';

const field = (type: LimitedField['type'], limits: LimitedField['limits'] = {}, isRequired = false) => ({
  ...{ type, limits, isRequired },
});

test.each([
  [field('string'), ['', ' a ', 'x'.repeat(5000), null], [1, true, [], {}]],
  [field('string', { maxLength: 2 }), ['ab', '😀😀'], ['abc', '😀😀😀']],
  [field('string', {}, true), ['a'], [null]],
  [field('number'), [0, -1.5, 1e300], ['1', Number.NaN.toString(), true]],
  [field('number', { minimum: -9.9, maximum: 9.9, decimals: 1 }), [9.9, -9.9, 1], [10, -10, 1.25, 1e-7]],
  [field('number', { decimals: 0 }), [1e21, 3], [1.5]],
  [field('boolean'), [true, false, null], ['true', 0, 1]],
  [field('date'), ['2028-02-29'], ['2026-02-29', '2026-2-1', '2026-11-20T00:00:00Z', '', 20261120]],
  [
    field('dateTime'),
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123456+02:00'],
    ['2026-11-20T10:00:00', '2026-11-20', '', 'now', '0001-01-01T00:00:00+14:00'],
  ],
])('%j takes %j, but not %j', (limited, valid, invalid) => {
  for (const value of valid) expect([value, customFieldFault(limited, value)]).toEqual([value, null]);
  for (const value of invalid)
    expect([value, customFieldFault(limited, value)]).toEqual([value, expect.stringMatching(/\.$/)]);
});
