import { expect, test } from 'vitest';
import { platformOf } from './platforms.ts';
import { systemIdentity } from './system-identity.ts';

const isSame = (one: string, other: string) => {
  const identity = (url: string) => systemIdentity(platformOf('tryton'), { url, database: 'company' });
  return identity(one) === identity(other);
};

test.each([
  ['another user', 'postgres://a:b@db.example/erp', 'postgres://c:d@db.example/erp'],
  ['another name of the scheme', 'postgres://db.example/erp', 'postgresql://db.example/erp'],
  ['the default port', 'postgres://db.example/erp', 'postgres://db.example:5432/erp'],
  ['another spelling', 'https://ERP.example./', 'https://erp.example:443'],
  ['the host as a parameter', 'postgres://db.example/erp', 'postgres:///erp?host=db.example&port=5432'],
  ['another encryption', 'postgres://db.example/erp', 'postgres://db.example/erp?sslmode=disable'],
])('the same system: %s', (_name, one, other) => expect(isSame(one, other)).toBe(true));

test.each([
  ['another host as a parameter', 'postgres://db.example/erp', 'postgres://db.example/erp?host=other.example'],
  ['the last of two parameters', 'postgres://a/erp?host=a', 'postgres://a/erp?host=a&host=b'],
  ['another port as a parameter', 'postgres://db.example/erp', 'postgres://db.example/erp?port=1'],
  ['another database', 'postgres://db.example/erp', 'postgres://db.example/other'],
  ['another scheme', 'http://erp.example:8000', 'https://erp.example:8000'],
])('different systems: %s', (_name, one, other) => expect(isSame(one, other)).toBe(false));

test('a setting that is left out is the same as its default', () => {
  const identity = (schema: object) => {
    const settings = { properties: { url: { type: 'string', format: 'uri' }, schema: { type: 'string' } } };
    const platform = { ...platformOf('tryton'), settings, identifiedBy: ['url', 'schema'], options: { schema: 'erp' } };
    return systemIdentity(platform, { url: 'postgres://db.example/erp', ...schema });
  };
  expect(identity({})).toBe(identity({ schema: 'erp' }));
  expect(identity({})).not.toBe(identity({ schema: 'other' }));
});
