import { expect, test } from 'vitest';
import { bucketSettings } from './bucket/bucket-settings.ts';
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
