import { describe, expect, test } from 'vitest';
import { encodeScalar, type ScalarType, UnfitValue } from './encode-scalar.ts';
import { decodeScalar, type Wire } from './wire.ts';

const pairs: { type: ScalarType; plain: unknown; wire: Wire }[] = [
  { type: 'char', plain: 'Ä', wire: 'Ä' },
  { type: 'boolean', plain: false, wire: false },
  { type: 'integer', plain: 7, wire: 7 },
  { type: 'float', plain: 0.5, wire: 0.5 },
  { type: 'numeric', plain: '358.00', wire: { __class__: 'Decimal', decimal: '358.00' } },
  { type: 'numeric', plain: '-0.000001', wire: { __class__: 'Decimal', decimal: '-0.000001' } },
  { type: 'date', plain: '2026-11-20', wire: { __class__: 'date', year: 2026, month: 11, day: 20 } },
  { type: 'date', plain: '0999-01-02', wire: { __class__: 'date', year: 999, month: 1, day: 2 } },
  {
    type: 'timestamp',
    plain: '2026-11-20T09:05:03.000450Z',
    wire: { __class__: 'datetime', year: 2026, month: 11, day: 20, hour: 9, minute: 5, second: 3, microsecond: 450 },
  },
  {
    type: 'datetime',
    plain: '2026-11-20T09:05:03Z',
    wire: { __class__: 'datetime', year: 2026, month: 11, day: 20, hour: 9, minute: 5, second: 3, microsecond: 0 },
  },
  { type: 'time', plain: '09:05:03', wire: { __class__: 'time', hour: 9, minute: 5, second: 3, microsecond: 0 } },
  {
    type: 'timedelta',
    plain: { days: 14, seconds: 0 },
    wire: { __class__: 'timedelta', seconds: 1_209_600 },
  },
  {
    type: 'timedelta',
    plain: { days: -1, seconds: 86_399 },
    wire: { __class__: 'timedelta', seconds: -1 },
  },
  { type: 'binary', plain: 'aGk=', wire: { __class__: 'bytes', base64: 'aGk=' } },
  { type: 'char', plain: null, wire: null },
];

test.each(pairs)('$type: $plain is sent and received as $wire', ({ type, plain, wire }) => {
  expect(decodeScalar(wire)).toEqual(plain);
  expect(encodeScalar(type, plain)).toEqual(wire);
});

describe('values in another form', () => {
  test.each<[ScalarType, unknown, Wire]>([
    ['numeric', 0.1, { __class__: 'Decimal', decimal: '0.1' }],
    ['integer', '42', 42],
    ['float', '1.5', 1.5],
    ['char', 12, '12'],
    ['timedelta', { days: 2 }, { __class__: 'timedelta', seconds: 172_800 }],
    ['timedelta', { days: null }, null],
    ['datetime', '2026-11-20T10:05:03+01:00', pairs[9]?.wire ?? null],
  ])('%s takes %j', (type, plain, wire) => {
    expect(encodeScalar(type, plain)).toEqual(wire);
  });

  test.each<[ScalarType, unknown]>([
    ['numeric', 'a lot'],
    ['numeric', Number.NaN],
    ['numeric', '1,5'],
    ['integer', 1.5],
    ['integer', ''],
    ['boolean', 'yes'],
    ['date', '20.11.2026'],
    ['datetime', 'now'],
    ['timedelta', 14],
    ['char', { nested: true }],
  ])('%s does not take %j', (type, plain) => {
    expect(() => encodeScalar(type, plain)).toThrow(UnfitValue);
  });
});

test('an object of an unknown class is not changed, whatever its name', () => {
  const strange = { __class__: 'constructor', secret: 1 };
  expect(decodeScalar(strange)).toBe(strange);
});
