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
