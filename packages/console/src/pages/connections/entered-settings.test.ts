import { expect, it } from 'vitest';
import { enteredSettings, settingFields } from './entered-settings.ts';

const schema = {
  type: 'object',
  properties: {
    url: { type: 'string', title: 'Address', description: 'Address of the server.' },
    password: { type: 'string', writeOnly: true, title: 'Password' },
    timeoutSeconds: { type: 'number', title: 'Timeout' },
    allowPrivateHosts: { type: 'boolean' },
    companies: { type: 'array', items: { type: 'string' } },
  },
};

it('asks for texts, secrets, numbers and switches', () => {
  expect(settingFields(schema).map(({ name, label, type }) => [name, label, type])).toEqual([
    ['url', 'Address', 'text'],
    ['password', 'Password', 'password'],
    ['timeoutSeconds', 'Timeout', 'number'],
    ['allowPrivateHosts', 'allowPrivateHosts', 'boolean'],
  ]);
});

it('replaces only what was entered', () => {
  const texts = { url: '', password: 'secret', timeoutSeconds: '12.5', allowPrivateHosts: 'false' };
  expect(enteredSettings(settingFields(schema), texts)).toEqual({
    ...{ password: 'secret', timeoutSeconds: 12.5, allowPrivateHosts: false },
  });
});
