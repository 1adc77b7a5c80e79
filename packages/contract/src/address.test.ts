import { expect, test } from 'vitest';
import { addressOf, recordAddress } from './address.ts';
import { operations } from './operations.ts';

const ID = '0199d2a4-0000-7000-8000-000000000000';

test('an address has the base and the parameters of its operation', () => {
  expect(addressOf('listVendors')).toBe('/v4/vendors');
  expect(addressOf('getWrite', { writeId: ID })).toBe(`/v4/writes/${ID}`);
  expect(addressOf('getAuthorizationServerMetadata')).toBe('/.well-known/oauth-authorization-server');
});

test('values cannot add segments or a query', () => {
  expect(addressOf('getVendor', { id: '../writes?a=ä' })).toBe('/v4/vendors/..%2Fwrites%3Fa%3D%C3%A4');
});

test('parameters that an operation does not have, or lacks, do not compile', () => {
  // @ts-expect-error The path of the operation has a parameter.
  addressOf('getVendor');
  // @ts-expect-error It has another name.
  addressOf('getVendor', { writeId: ID });
  // @ts-expect-error The path has no parameter.
  addressOf('listVendors', { id: ID });
});

test('a record has the address of its operation', () => {
  const gets = operations.filter(({ kind, path }) => kind === 'get' && /^\/[^/]+\/\{id\}$/.test(path));
  expect(gets.length).toBeGreaterThan(0);
  for (const { path, bases } of gets)
    expect(recordAddress('', path.split('/')[1] ?? '', ID)).toBe(bases[0] + path.replace('{id}', ID));
});
