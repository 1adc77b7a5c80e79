import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { startServer } from '../server-process.ts';

/** `test-systems/sftp/install.sh` installs it. */
const SSHD = '/usr/sbin/sshd';

/** A running SFTP server of OpenSSH. */
export interface RunningSftp {
  /** `sftp://127.0.0.1:43211/tmp/…/files`. */
  readonly url: string;
  readonly user: string;
  readonly privateKey: string;
  readonly passphrase: string;
  /** Fingerprint of the key of the host. */
  readonly hostKey: string;
  /** Folder with its files. */
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts a server with its own configuration and keys on a free port. The user of this process can sign in with a key. */
export async function startSftp(): Promise<RunningSftp> {
  if (!existsSync(SSHD)) throw new Error(`There is no ${SSHD}: run test-systems/sftp/install.sh.`);
  const folder = await mkdtemp(join(tmpdir(), 'unified-sftp-'));
  const path = join(folder, 'files');
  await mkdir(path);
  const passphrase = 'a passphrase of the tests';
  const keyFile = (name: string, secret: string) => {
    const file = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', secret, '-f', file]);
    return file;
  };
  const [host, user] = [keyFile('host', ''), keyFile('user', passphrase)];
  await copyFile(`${user}.pub`, join(folder, 'authorized'));
  const port = await freePort();
  const config = [
    ...[`ListenAddress 127.0.0.1:${port}`, `HostKey ${host}`, 'PidFile none', 'UsePAM no', 'StrictModes no'],
    ...[`AuthorizedKeysFile ${join(folder, 'authorized')}`, 'PasswordAuthentication no', 'PermitRootLogin yes'],
    ...['KbdInteractiveAuthentication no', 'Subsystem sftp internal-sftp', 'ForceCommand internal-sftp'],
  ];
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
  const server = await startServer({
    ...{ name: 'The SFTP server', command: SSHD, arguments: ['-D', '-e', '-f', join(folder, 'config')] },
    ready: (output) => (output.includes('Server listening') ? `sftp://127.0.0.1:${port}` : undefined),
  });
  const [, hostKey = ''] = execFileSync('ssh-keygen', ['-l', '-f', `${host}.pub`], { encoding: 'utf8' }).split(' ');
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  const privateKey = await readFile(user, 'utf8');
  return { url: `${server.url}${path}`, user: userInfo().username, privateKey, passphrase, hostKey, path, stop };
}
