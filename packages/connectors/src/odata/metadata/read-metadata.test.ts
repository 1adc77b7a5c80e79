import { describe, expect, test } from 'vitest';
import { ORDERS_V4, PARTNERS_V2 } from '../../../test/odata/descriptions.ts';
import { SystemError } from '../../system-error.ts';
import { edmScalar } from '../edm-scalar.ts';
import type { Metadata } from './metadata.ts';
import { readMetadata } from './read-metadata.ts';

function failureOf(text: string | Uint8Array): SystemError | null {
  try {
    readMetadata(Buffer.from(text));
    return null;
  } catch (error) {
    if (error instanceof SystemError) return error;
    throw error;
  }
}

/** Types and limits of the properties of a set, by name. */
function scalarsOf(metadata: Metadata, set: string) {
  const properties = [...(metadata.sets.get(set)?.type.properties.values() ?? [])];
  return Object.fromEntries(properties.map((each) => [each.name, edmScalar(each)]));
}

test('a service of V4 is described with inherited properties, aliases, type definitions and enumerations', () => {
  const metadata = readMetadata(ORDERS_V4);
  expect(metadata.version).toBe(4);
  expect([...metadata.sets.keys()]).toEqual(['Orders', 'Lines']);
  const order = metadata.sets.get('Orders')?.type;
  expect(order?.key).toEqual(['number']);
  expect(order?.navigations.get('lines')).toEqual({
    name: 'lines',
    target: 'com.example.orders.Line',
    isCollection: true,
  });
  expect(order?.properties.get('changedAt')).toMatchObject({ isCreatable: false, isUpdatable: false });
  expect(order?.properties.get('reference')).toMatchObject({ label: 'Your reference', isUpdatable: true });
  expect(scalarsOf(metadata, 'Orders')).toMatchObject({
    changedAt: { type: 'dateTime' },
    number: { type: 'string', limits: { maxLength: 20 } },
    status: { type: 'string' },
    total: { type: 'number', limits: { decimals: 4 } },
    ordered: { type: 'date' },
    tags: undefined,
  });
});

test('a service of V2 is described with associations and the attributes of SAP, whatever its prefixes', () => {
  const metadata = readMetadata(PARTNERS_V2);
  expect(metadata.version).toBe(2);
  const partner = metadata.sets.get('A_Partner');
  expect(partner?.label).toBe('Partner');
  expect(partner?.type.properties.get('Partner')).toMatchObject({
    label: 'Partner number',
    comment: 'Number of the partner',
    isNullable: false,
  });
  expect(partner?.type.properties.get('Created')).toMatchObject({ isDay: true, isUpdatable: false });
  expect(partner?.type.navigations.get('to_Address')).toMatchObject({
    target: 'PARTNERS.AddressType',
    isCollection: true,
  });
  expect(metadata.sets.get('A_Address')?.type.key).toEqual(['Partner', 'AddressID']);
  expect(scalarsOf(metadata, 'A_Partner')).toMatchObject({
    Created: { type: 'date' },
    ChangedAt: { type: 'dateTime' },
    Limit: { type: 'number', limits: { decimals: 3 } },
    OpensAt: { type: 'string' },
  });
});

test('operations are those that can be called', () => {
  const [approve, recount, ...none] = readMetadata(ORDERS_V4).operations;
  expect(approve).toMatchObject({
    name: 'com.example.orders.approve',
    boundTo: 'com.example.orders.Order',
    method: 'POST',
  });
  expect([...(approve?.parameters.keys() ?? [])]).toEqual(['note']);
  expect(recount).toMatchObject({ name: 'recountAll', boundTo: undefined });
  expect(none).toEqual([]);
  const withFunctions = ORDERS_V4.toString()
    .replace(
      '<Action Name="recount"/>',
      '<Function Name="count" IsBound="true"><Parameter Name="in" Type="Self.Order"/></Function>',
    )
    .replace(
      '<ActionImport Name="recountAll" Action="Self.recount"/>',
      '<FunctionImport Name="all" Function="Self.count"/>',
    );
  expect(readMetadata(Buffer.from(withFunctions)).operations.map(({ name }) => name)).toEqual([
    'com.example.orders.approve',
  ]);
  expect(readMetadata(PARTNERS_V2).operations).toMatchObject([{ name: 'Release', method: 'POST', boundTo: undefined }]);
});

test('many types that inherit are read in less than quadratic time', () => {
  const types = Array.from({ length: 60_000 }, (_, index) => `<EntityType Name="T${index}" BaseType="Self.Order"/>`);
  const text = ORDERS_V4.toString().replace('<EntityContainer', `${types.join('')}<EntityContainer`);
  expect(readMetadata(Buffer.from(text)).types.get('com.example.orders.T59999')?.key).toEqual(['number']);
});

describe('a document that cannot be trusted', () => {
  test.each([
    ['of V4', ORDERS_V4],
    ['of V2', PARTNERS_V2],
  ])('%s is refused when it is cut at any byte', (_, whole) => {
    const end = whole.toString().trimEnd().length;
    const read = Array.from({ length: end }, (_each, length) => failureOf(whole.subarray(0, length)));
    expect(
      read.map((each, length) => (each?.kind === 'invalid' ? null : length)).filter((each) => each !== null),
    ).toEqual([]);
  });

  test('is refused if it is nested deeply, however deeply', () => {
    expect(failureOf('<a>'.repeat(1_000))?.words).toBe('The description of the service is nested too deeply');
    expect(failureOf('<a>'.repeat(1_000_000))?.words).toBe('The description of the service is nested too deeply');
  });

  test('is refused if it is too large', () => {
    const words = 'The description of the service ($metadata) is too large';
    expect(failureOf(`<a>${'<b/>'.repeat(200_000)}</a>`)?.words).toBe(words);
    expect(failureOf(`<a>${' '.repeat(16 * 1024 * 1024)}</a>`)?.words).toBe(words);
    expect(failureOf(`<a>${'<b/>'.repeat(199_999)}</a>`)?.words).not.toBe(words);
  });

  test('cannot define entities or load files', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Edmx Version="4.0" Name="&b;"/>';
    const file = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><Edmx Version="4.0">&f;</Edmx>';
    expect(failureOf(bomb)?.words).toMatch('has a document type');
    expect(failureOf(file)?.words).toMatch('has a document type');
    expect(failureOf('<Edmx Version="4.0" Name="&b;"/>')?.kind).toBe('invalid');
  });

  test('is refused if it is a page or describes nothing', () => {
    expect(failureOf('<html><body><p>Sign in<br></body></html>')?.kind).toBe('invalid');
    expect(failureOf('<html><body/></html>')?.words).toMatch('does not lead to an OData service');
    expect(failureOf(Buffer.from([0x3c, 0x61, 0xff, 0x2f, 0x3e]))?.kind).toBe('invalid');
  });

  test('may have types that inherit from themselves', () => {
    const circle = ORDERS_V4.toString().replace('Name="Dated"', 'Name="Dated" BaseType="Self.Order"');
    expect(readMetadata(Buffer.from(circle)).sets.get('Orders')?.type.key).toEqual(['number']);
  });
});
