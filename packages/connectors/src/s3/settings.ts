/** Where a bucket is, and who may use it. */
export interface S3Settings {
  /** Address of the service: `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`. */
  readonly endpoint: URL;
  readonly bucket: string;
  /** Prefix of the keys of all objects; empty, or ending in a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads `BLOB_STORE=s3://bucket/prefix` with the variables that other S3 tools use: `S3_ENDPOINT`, `AWS_REGION`,
 * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`. Undefined when files are stored in the database.
 *
 * @throws {Error} that names the variable to correct; it never contains a secret
 */
export function s3Settings(env: Environment): S3Settings | undefined {
  const store = env.BLOB_STORE ?? '';
  if (store === '' || store === 'postgres') return undefined;
  const url = URL.parse(store);
  if (url?.protocol !== 's3:' || !BUCKET.test(url.hostname))
    throw new Error('BLOB_STORE must be `postgres` or `s3://bucket/prefix`.');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new Error('Files are stored in a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  const region = env.AWS_REGION || 'us-east-1';
  const path = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  return {
    endpoint: endpointOf(env.S3_ENDPOINT || `https://s3.${region}.amazonaws.com`),
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    region,
    accessKeyId,
    secretAccessKey,
    ...(token && { sessionToken: token }),
  };
}

function endpointOf(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isPlain && url.search === '' && url.hash === '') return url;
  throw new Error('S3_ENDPOINT must be an http(s) address without credentials, such as https://s3.example.com.');
}
