import { describe, expect, test } from 'vitest';
import { s3Settings } from './settings.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'top secret' };

describe('the storage of files', () => {
  test.each([{}, { BLOB_STORE: '' }, { BLOB_STORE: 'postgres' }])('is the database with %j', (env) => {
    expect(s3Settings(env)).toBeUndefined();
  });

  test('is a bucket at AWS in the given region', () => {
    expect(s3Settings({ ...keys, BLOB_STORE: 's3://files', AWS_REGION: 'eu-central-1' })).toEqual({
      endpoint: new URL('https://s3.eu-central-1.amazonaws.com'),
      ...{ bucket: 'files', prefix: '', region: 'eu-central-1', accessKeyId: 'id', secretAccessKey: 'top secret' },
    });
  });

  test('is a bucket of another service, with a prefix and a session token', () => {
    const env = { ...keys, BLOB_STORE: 's3://files/of/us/', S3_ENDPOINT: 'http://minio:9000', AWS_SESSION_TOKEN: 't' };
    expect(s3Settings(env)).toMatchObject({
      ...{ endpoint: new URL('http://minio:9000'), prefix: 'of/us/', region: 'us-east-1', sessionToken: 't' },
    });
  });

  test.each([
    ['BLOB_STORE', { ...keys, BLOB_STORE: '/var/files' }],
    ['BLOB_STORE', { ...keys, BLOB_STORE: 's3://Files' }],
    ['AWS_SECRET_ACCESS_KEY', { BLOB_STORE: 's3://files', AWS_ACCESS_KEY_ID: 'id' }],
    ['S3_ENDPOINT', { ...keys, BLOB_STORE: 's3://files', S3_ENDPOINT: 'http://id:top%20secret@minio' }],
    ['S3_ENDPOINT', { ...keys, BLOB_STORE: 's3://files', S3_ENDPOINT: 'minio:9000' }],
  ])('reports %s if it cannot be used, without secrets', (name, env) => {
    expect(() => s3Settings(env)).toThrow(name);
    expect(() => s3Settings(env)).not.toThrow(/secret(?!_)\b/);
  });
});
