/** What `test-systems/s3/start.ts` provides to tests. */
export interface RunningBucket {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Folder with the objects of the bucket. */
  readonly path: string;
  stop(): Promise<void>;
}

/** What `test-systems/sftp/start.ts` provides to tests. */
export interface RunningSftp {
  /** Address of the folder with files. */
  readonly url: string;
  readonly user: string;
  readonly privateKey: string;
  readonly passphrase: string;
  readonly hostKey: string;
  readonly path: string;
  stop(): Promise<void>;
}

/** The systems are outside this package, so the compiler must not see their paths. */
const startOf = (path: string) => import(new URL(`../../../test-systems/${path}`, import.meta.url).href);

/** Starts a service that speaks S3, with an empty bucket. */
export async function startBucket(): Promise<RunningBucket> {
  return (await startOf('s3/start.ts')).startBucket();
}

/** Starts an SFTP server with an empty folder. */
export async function startSftp(): Promise<RunningSftp> {
  return (await startOf('sftp/start.ts')).startSftp();
}

/** Settings of a connection to a bucket. */
export function bucketSettingsOf({ endpoint, bucket, accessKeyId, secretAccessKey }: RunningBucket, prefix = '') {
  const folder = `s3://${bucket}/${prefix}`;
  return { folder, endpoint: endpoint.href, accessKeyId, secretAccessKey, allowPrivateHosts: true };
}

/** Settings of a connection to an SFTP server. */
export function sftpSettingsOf({ url, user, privateKey, passphrase, hostKey }: RunningSftp) {
  return { folder: url, user, privateKey, passphrase, hostKey, allowPrivateHosts: true };
}
