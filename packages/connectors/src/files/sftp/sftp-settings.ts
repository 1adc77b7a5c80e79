import type { Json } from '../../json.ts';
import { wrongSettings } from '../file-failure.ts';
import { settingText } from '../setting-text.ts';
import { privateKeyProblem } from './private-key.ts';

/** Where a folder on an SFTP server is, and who may read it. */
export interface SftpSettings {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly user: string;
  readonly password?: string;
  /** Private key in the format of OpenSSH or PEM, and its passphrase. */
  readonly privateKey?: string;
  readonly passphrase?: string;
  /** SHA-256 fingerprint of the key of the host, as `ssh-keygen -l` prints it; empty if it is not known yet. */
  readonly hostKey: string;
  readonly allowPrivate: boolean;
}

/** Reads `sftp://host:port/path`; a path that begins with `~/` is below the home folder of the user. @throws SystemError */
export function sftpSettings(settings: Readonly<Record<string, Json>>): SftpSettings {
  const text = (name: string) => settingText(settings, name);
  const url = URL.parse(text('folder'));
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '' || url.search !== '')
    throw wrongSettings('The folder must be sftp://host/path or sftp://host:port/path, without a user');
  const [user, password, privateKey, passphrase] = ['user', 'password', 'privateKey', 'passphrase'].map(text);
  if (!user || (!password && !privateKey))
    throw wrongSettings('A folder on an SFTP server needs the settings user, and password or privateKey');
  const problem = privateKeyProblem(privateKey ?? '');
  if (problem !== undefined) throw wrongSettings(problem);
  return {
    ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 22 : Number(url.port), user },
    path: pathOf(url.pathname),
    ...(password && { password }),
    ...(privateKey && { privateKey }),
    ...(passphrase && { passphrase }),
    hostKey: text('hostKey').trim(),
    allowPrivate: settings.allowPrivateHosts === true,
  };
}

function pathOf(pathname: string): string {
  try {
    const path = decodeURIComponent(pathname).replace(/\/+$/, '') || '/';
    return /^\/~(\/|$)/.test(path) ? path.slice(3) || '.' : path;
  } catch {
    throw wrongSettings('The path of the folder contains a % that does not encode a character');
  }
}
