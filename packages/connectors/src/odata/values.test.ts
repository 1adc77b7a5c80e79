import { describe, expect, test } from 'vitest';
import { ORDERS_V4, PARTNERS_V2 } from '../../test/odata/descriptions.ts';
import { entityOf, etagOf } from './entity-row.ts';
import { jsonOf } from './exact-values.ts';
import { entityPath, literal } from './literal.ts';
import type { EdmProperty, Metadata } from './metadata/metadata.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import { decodeValue, encodeValue } from './values.ts';

const v2 = readMetadata(PARTNERS_V2);
const v4 = readMetadata(ORDERS_V4);

function property(metadata: Metadata, set: string, name: string): EdmProperty {
  const found = metadata.sets.get(set)?.type.properties.get(name);
  if (!found) throw new Error(`There is no ${name} in ${set}.`);
  return found;
}

const partner = (name: string) => property(v2, 'A_Partner', name);
const order = (name: string) => property(v4, 'Orders', name);

describe('values of V2 are read', () => {
  test.each([
    ['ChangedAt', '/Date(1700000000000)/', '2023-11-14T22:13:20.000Z'],
    ['ChangedAt', '/Date(-1)/', '1969-12-31T23:59:59.999Z'],
    ['ChangedAt', '/Date(-2208988800000)/', '1900-01-01T00:00:00.000Z'],
    ['ChangedAt', '/Date(1700000000000+0060)/', '2023-11-14T23:13:20.000+01:00'],
    ['ChangedAt', '/Date(1700000000000-0330)/', '2023-11-14T16:43:20.000-05:30'],
    ['Created', '/Date(-86400000)/', '1969-12-31'],
    ['Created', '/Date(253402214400000)/', '9999-12-31'],
    ['OpensAt', 'PT08H30M00S', '08:30:00'],
    ['OpensAt', 'PT8H', '08:00:00'],
    ['Limit', '1234567890123456789012345.678', '1234567890123456789012345.678'],
    ['Count', '9007199254740993', '9007199254740993'],
    ['Limit', 12.5, '12.5'],
    ['Limit', null, null],
  ])('%s %s', (name, wire, expected) => {
    expect(decodeValue(wire, partner(name))).toBe(expected);
  });

  test('a text that is not a date is unchanged, so that the mapping reports it', () => {
    expect(decodeValue('/Date(99999999999999999999)/', partner('ChangedAt'))).toBe('/Date(99999999999999999999)/');
    expect(decodeValue('/Date(253402300800000)/', partner('ChangedAt'))).toBe('/Date(253402300800000)/');
  });
});

test.each([
  ['Created', '1969-12-31', '/Date(-86400000)/'],
  ['ChangedAt', '2023-11-14T23:13:20+01:00', '/Date(1700000000000+0000)/'],
  ['OpensAt', '08:30:00', 'PT08H30M00S'],
  ['Limit', '1234567890123456789012345.678', '1234567890123456789012345.678'],
  ['Limit', 1e21, '1000000000000000000000'],
  ['Limit', 1e-7, '0.0000001'],
  ['Limit', -1.5e-7, '-0.00000015'],
  ['Name', 17, '17'],
  ['Name', null, null],
])('V2 is sent %s %s', (name, value, expected) => {
  expect(encodeValue(value, partner(name), 2)).toBe(expected);
});

test('V4 is sent decimals with all digits, days as days, and timestamps in UTC', () => {
  const exact = { total: encodeValue('1234567890123456789012345.6789', order('total'), 4) };
  expect(jsonOf(exact, 'strings')).toBe('{"total":"1234567890123456789012345.6789"}');
  expect(jsonOf(exact, 'numbers')).toBe('{"total":1234567890123456789012345.6789}');
  expect(encodeValue('2026-11-20T09:30:00Z', order('ordered'), 4)).toBe('2026-11-20');
  expect(encodeValue('2026-11-20T09:30:00+01:00', order('changedAt'), 4)).toBe('2026-11-20T08:30:00.000Z');
});

test('values that a property cannot have are refused with its name', () => {
  expect(() => encodeValue('12,5', partner('Limit'), 2)).toThrow('"12,5" is not a number');
  expect(() => encodeValue('soon', partner('Created'), 2)).toThrow('"soon" is not a date');
});

describe('literals', () => {
  test.each([
    ['Name', "O'Neill & Söhne", "'O''Neill & Söhne'"],
    ['Created', '2026-11-20', "datetime'2026-11-20T00:00:00'"],
    ['ChangedAt', '2026-11-20T09:30:00.000+01:00', "datetimeoffset'2026-11-20T08:30:00Z'"],
    ['OpensAt', '08:30:00', "time'PT08H30M00S'"],
    ['Limit', 12.3, '12.3M'],
    ['Count', '5', '5L'],
    ['Id', '0f8fad5b-d9cb-469f-a165-70867728950e', "guid'0f8fad5b-d9cb-469f-a165-70867728950e'"],
    ['Name', null, 'null'],
  ])('V2: %s %s', (name, value, expected) => {
    expect(literal(value, partner(name), 2)).toBe(expected);
  });

  test.each([
    ['total', '12.30', '12.30'],
    ['ordered', '2026-11-20', '2026-11-20'],
    ['changedAt', '2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00Z'],
    ['status', 'open', "com.example.orders.Status'open'"],
    ['number', "4' or 1 eq 1", "'4'' or 1 eq 1'"],
  ])('V4: %s %s', (name, value, expected) => {
    expect(literal(value, order(name), 4)).toBe(expected);
  });

  test('a value without quotes cannot contain a second condition', () => {
    const position = property(v4, 'Lines', 'position');
    expect(() => literal('1 or 1 eq 1', position, 4)).toThrow('is not a value of position');
  });
});

test('an entity is addressed by its key, with quotes, blanks and slashes in it', () => {
  const path = (set: string, columns: string[], values: string[]) => {
    const type = v2.sets.get(set)?.type;
    if (!type) throw new Error(`There is no ${set}.`);
    return entityPath(set, type, columns, values, 2);
  };
  expect(path('A_Partner', ['Partner'], ["O'N/1"])).toBe('A_Partner(%27O%27%27N%2F1%27)');
  expect(path('A_Address', ['Partner', 'AddressID'], ['1', '2 3'])).toBe(
    'A_Address(Partner=%271%27,AddressID=%272%203%27)',
  );
});

test('an entity is a row, with expanded entities and without protocol metadata', () => {
  const type = v2.sets.get('A_Partner')?.type;
  const wire = {
    __metadata: { uri: '…', etag: 'W/"1"' },
    Partner: '1',
    Created: '/Date(0)/',
    to_Address: { results: [{ __metadata: {}, Partner: '1', AddressID: '2' }] },
  };
  if (!type) throw new Error('There is no type.');
  expect(entityOf(wire, type, v2)).toEqual({
    Partner: '1',
    Created: '1970-01-01',
    to_Address: [{ Partner: '1', AddressID: '2' }],
  });
  expect(entityOf({ Partner: '1', to_Address: { __deferred: { uri: '…' } } }, type, v2)).toEqual({ Partner: '1' });
  expect(etagOf(wire)).toBe('W/"1"');
  expect(etagOf({ '@odata.etag': '"a"' })).toBe('"a"');
});

test.each([
  ['V2', { Partner: '1', to_Address: { results: [], __next: 'https://erp.example/A_Partner?$skiptoken=1' } }],
  ['V4', { Partner: '1', to_Address: [], 'to_Address@odata.nextLink': 'A_Partner?$skiptoken=1' }],
  ['V4.01', { Partner: '1', to_Address: [], 'to_Address@nextLink': 'A_Partner?$skiptoken=1' }],
])('an expanded list that continues at another address is refused (%s)', (_, wire) => {
  const type = v2.sets.get('A_Partner')?.type;
  if (!type) throw new Error('There is no type.');
  expect(() => entityOf(wire, type, v2)).toThrow(/^invalid: .* the list to_Address .* a stream of its own$/);
});
