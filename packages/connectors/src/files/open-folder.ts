import type { Json } from '../json.ts';
import { openBucketFolder } from './bucket/bucket-folder.ts';
import type { FileFolder } from './file-folder.ts';
import { openLocalFolder } from './local-folder.ts';
import type { RemoteLimits } from './remote-limits.ts';
import { openSftpFolder } from './sftp/sftp-folder.ts';

type Settings = Readonly<Record<string, Json>>;

/**
 * The folder of a connection: `s3://bucket/prefix`, `sftp://host:port/path`, or a path below the folder of the operator
 * (`FILES_FOLDER`). Nothing is opened until it is used. The limits apply to other machines.
 */
export function openFolder(settings: Settings, limits: RemoteLimits = {}): FileFolder {
  const folder = String(settings.folder ?? '');
  if (/^s3:\/\//i.test(folder)) return openBucketFolder(settings, limits);
  if (/^sftp:\/\//i.test(folder)) return openSftpFolder(settings, limits);
  return openLocalFolder(folder);
}
