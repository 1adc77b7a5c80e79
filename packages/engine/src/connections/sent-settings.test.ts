import { expect, it } from 'vitest';
import { allSystems, platformIn } from '../model/systems.ts';
import { changedSettings, refuseKeptSecrets } from './sent-settings.ts';

const before = {
  ...{ url: 'https://erp.example.com/api', tokenUrl: 'https://login.example.com/token', clientSecret: 'secret' },
  allowPrivateHosts: true,
};

function platformOf(id: string) {
  const platform = platformIn(allSystems, id);
  if (!platform) throw new Error(`There is no platform ${id}.`);
  return platform;
}

it.each(['business-central', 's4hana'])('%s: a token address elsewhere may not be a private host', (id) => {
  const platform = platformOf(id);
  const changed = changedSettings(platform, before, { tokenUrl: 'https://10.0.0.1/token', clientSecret: 'new' });
  expect(changed).not.toHaveProperty('allowPrivateHosts');
  expect(changed).toMatchObject({ tokenUrl: 'https://10.0.0.1/token', url: before.url });
});

it.each(['business-central', 's4hana'])('%s: private hosts stay allowed while no address changes', (id) => {
  const platform = platformOf(id);
  const changes = { url: `${before.url}?timeout=5`, tokenUrl: before.tokenUrl, clientSecret: 'new' };
  expect(changedSettings(platform, before, changes)).toEqual({ ...before, ...changes });
});

it('an SFTP server with another key does not receive the stored password', () => {
  const properties = { folder: { type: 'string' }, hostKey: { type: 'string' }, password: { type: 'string' } };
  const platform = {
    ...platformOf('tryton'),
    ...{ driver: 'files', identifiedBy: ['folder'], secrets: ['password'], settings: { type: 'object', properties } },
  };
  const stored = { folder: 'sftp://files.example/exports', hostKey: 'SHA256:a', password: 'secret' };
  expect(() => refuseKeptSecrets(platform, stored, { hostKey: 'SHA256:b' })).toThrow('Send this secret again');
  expect(() => refuseKeptSecrets(platform, stored, { hostKey: 'SHA256:b', password: 'secret' })).not.toThrow();
  expect(() => refuseKeptSecrets(platform, stored, { hostKey: 'SHA256:a' })).not.toThrow();
});
