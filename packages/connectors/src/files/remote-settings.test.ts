import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { filesPlatform } from '../../test/export-folder.ts';
import { optionsProblems } from '../driver-options.ts';
import { settingsProblems } from '../settings.ts';
import { addressSettings } from '../system-identity.ts';
import { bucketSettings } from './bucket/bucket-settings.ts';
import { filesOptions } from './options.ts';
import { sftpSettings } from './sftp/sftp-settings.ts';

const keys = { accessKeyId: 'id', secretAccessKey: 'top secret' };
const login = { user: 'reader', password: 'top secret' };

test.each([
  ['s3://exports', {}, ['exports', '', 'us-east-1', 'https://s3.us-east-1.amazonaws.com/']],
  [
    's3://exports/a/b/',
    { region: 'eu-west-1' },
    ['exports', 'a/b/', 'eu-west-1', 'https://s3.eu-west-1.amazonaws.com/'],
  ],
  [
    's3://exports/a',
    { endpoint: 'https://s3.example:9000' },
    ['exports', 'a/', 'us-east-1', 'https://s3.example:9000/'],
  ],
] as const)('%s with %j is a folder of a bucket', (folder, more, expected) => {
  const { bucket, prefix, region, endpoint } = bucketSettings({ folder, ...keys, ...more });
  expect([bucket, prefix, region, endpoint.href]).toEqual(expected);
});

test.each([
  [{ folder: 's3://UPPER/a', ...keys }, 'The folder must be s3://bucket/prefix'],
  [{ folder: 's3://exports' }, 'A folder in a bucket needs the settings accessKeyId and secretAccessKey'],
  [
    { folder: 's3://exports', ...keys, region: 'a.attacker.example/' },
    'The setting region must be the name of a region',
  ],
  [{ folder: 's3://exports', ...keys, endpoint: 'ftp://x' }, 'The setting endpoint must be an http(s) address'],
  [{ folder: 's3://exports', ...keys, endpoint: 'https://a:b@x' }, 'The setting endpoint must be an http(s) address'],
])('the settings %j of a bucket are refused', (settings, words) => {
  expect(() => bucketSettings(settings)).toThrow(expect.objectContaining({ words: expect.stringContaining(words) }));
});

test.each([
  ['sftp://files.example', ['files.example', 22, '/']],
  ['sftp://files.example:2222/exports/', ['files.example', 2222, '/exports']],
  ['sftp://[::1]/a%20b', ['::1', 22, '/a b']],
  ['sftp://files.example/~', ['files.example', 22, '.']],
  ['sftp://files.example/~/exports', ['files.example', 22, 'exports']],
] as const)('%s is a folder of an SFTP server', (folder, expected) => {
  const { host, port, path } = sftpSettings({ folder, ...login });
  expect([host, port, path]).toEqual(expected);
});

test.each([
  [{ folder: 'sftp://reader:secret@files.example/', ...login }, 'without a user'],
  [{ folder: 'sftp://files.example/%zz', ...login }, 'a % that does not encode a character'],
  [{ folder: 'sftp://files.example/', user: 'reader' }, 'needs the settings user, and password or privateKey'],
])('the settings %j of an SFTP server are refused', (settings, words) => {
  expect(() => sftpSettings(settings)).toThrow(expect.objectContaining({ words: expect.stringContaining(words) }));
});

/** A private key whose header names this number of rounds of bcrypt. */
function privateKey(rounds: number): string {
  const encryption = { cipher: 'aes256-ctr', passphrase: 'a', rounds: 1 };
  const [begin = '', ...lines] = ssh2.utils.generateKeyPairSync('ed25519', encryption).private.trim().split('\n');
  const data = Buffer.from(lines.slice(0, -1).join(''), 'base64');
  const salt = data.indexOf('bcrypt') + 'bcrypt'.length + 4;
  data.writeUInt32BE(rounds, salt + 4 + data.readUInt32BE(salt));
  return [begin, data.toString('base64'), lines.at(-1)].join('\n');
}

test('a private key that would block the process is refused, and the message names the command that encrypts it again', () => {
  const withKey = (key: string) => () =>
    sftpSettings({ folder: 'sftp://files.example/', user: 'reader', privateKey: key, passphrase: 'a' });
  for (const rounds of [16, 64]) expect(withKey(privateKey(rounds))().user).toBe('reader');
  for (const rounds of [65, 2 ** 32 - 1]) {
    const words = expect.stringMatching(`${rounds} rounds of bcrypt, .* with \`ssh-keygen -p -a 16 -f FILE\`$`);
    for (const key of [privateKey(rounds), ` ${privateKey(rounds).replaceAll('\n', '\r\n')}\n`])
      expect(withKey(key)).toThrow(expect.objectContaining({ kind: 'rejected', words }));
  }
  const words = 'The private key is longer than 16384 characters';
  expect(withKey('a'.repeat(16_385))).toThrow(expect.objectContaining({ words }));
});

function offering(properties: Record<string, Record<string, string | boolean>>) {
  const settings = { type: 'object', required: ['folder'], properties: { folder: { type: 'string' }, ...properties } };
  return { ...filesPlatform([]), settings };
}

test('a platform that shows secrets, or does not mark an address, is refused', () => {
  const secrets = ['secretAccessKey', 'sessionToken', 'password', 'privateKey', 'passphrase'];
  const offered = [...secrets, 'endpoint', 'accessKeyId', 'user', 'hostKey'].map((name) => [name, { type: 'string' }]);
  const problems = optionsProblems(offering(Object.fromEntries(offered)), filesOptions);
  expect(problems.map(({ field }) => field)).toEqual(
    [...secrets, 'endpoint'].map((name) => `settings.properties.${name}`),
  );
});

test('a region that could lead to another host is refused when it is sent', () => {
  const platform = offering({ region: { type: 'string' } });
  const problems = (region: string) => settingsProblems(platform, { folder: 's3://exports', region });
  expect(problems('eu-central-1')).toEqual([]);
  expect(problems('a.attacker.example/')).toMatchObject([
    { setting: 'region', problem: 'does not have the right form' },
  ]);
});

test('a password is sent to the host of the folder with its key, so both are addresses', () => {
  expect(addressSettings(offering({ hostKey: { type: 'string' } }))).toEqual(['folder', 'endpoint', 'hostKey']);
});
