import { expect, test } from 'vitest';
import { platform } from '../../test/faulty-platform.ts';
import { renewedSettings } from './store-allowed.ts';

const settings = {
  type: 'object',
  properties: {
    url: { type: 'string', format: 'uri' },
    password: { type: 'string', writeOnly: true },
    timezone: { type: 'string' },
    drafts: { type: 'boolean' },
    allowPrivateHosts: { type: 'boolean' },
  },
};

test('a renewed connection keeps optional settings that were left empty, but no secrets, and no switches', () => {
  const before = {
    ...{ url: 'https://erp.example', password: 'old', token: 'old' },
    ...{ timezone: 'Europe/Berlin', drafts: true, allowPrivateHosts: true },
  };
  const described = { ...platform, settings, secrets: ['password', 'token'] };
  expect(renewedSettings(described, before, { url: 'https://erp.example/', password: 'new' })).toEqual({
    ...{ url: 'https://erp.example/', password: 'new' },
    ...{ timezone: 'Europe/Berlin', allowPrivateHosts: true },
  });
});

test('secrets are not kept for another address, to which they would be sent', () => {
  const described = { ...platform, settings, secrets: ['password', 'token'] };
  const before = { url: 'https://erp.example', password: 'old', token: 'old', timezone: 'Europe/Berlin' };
  expect(renewedSettings(described, before, { url: 'https://other.example' })).toEqual({
    ...{ url: 'https://other.example', timezone: 'Europe/Berlin' },
  });
});

test('what an operator has allowed does not apply to a token address elsewhere', () => {
  const tokenUrl = { type: 'string', format: 'uri' };
  const properties = { ...settings.properties, tokenUrl };
  const described = { ...platform, settings: { ...settings, properties }, identifiedBy: ['url'] };
  const before = { url: 'https://erp.intranet', tokenUrl: 'https://login.example/token', allowPrivateHosts: true };
  const moved = { url: before.url, tokenUrl: 'https://10.0.0.1/token' };
  expect(renewedSettings(described, before, moved)).toEqual(moved);
  expect(renewedSettings(described, before, { url: before.url, tokenUrl: before.tokenUrl })).toEqual(before);
});

test.each([
  [{ user: 'u', password: 'p' }, {}],
  [{ token: 't' }, {}],
  [{ clientSecret: 's' }, { tokenUrl: 'https://login.example', clientId: 'id', scope: 'api' }],
  [{}, { tokenUrl: 'https://login.example', clientId: 'id', scope: 'api' }],
])('of the credentials of a client, a renewal with %j keeps %j', (entered, kept) => {
  const described = { ...platform, settings, secrets: ['password', 'token', 'clientSecret'] };
  const client = { tokenUrl: 'https://login.example', clientId: 'id', clientSecret: 'old', scope: 'api' };
  const before = { url: 'https://erp.example', ...client };
  expect(renewedSettings(described, before, { url: 'https://erp.example', ...entered })).toEqual({
    ...{ url: 'https://erp.example', ...kept, ...entered },
  });
});
