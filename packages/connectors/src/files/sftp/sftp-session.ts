import { createHash } from 'node:crypto';
import type { Algorithms, Client, SFTPWrapper } from 'ssh2';
import { GuardedSocket } from '../../net/guarded-socket.ts';
import { parsePrivateHosts } from '../../net/private-hosts.ts';
import { sessionFailure } from './sftp-failure.ts';
import type { SftpSettings } from './sftp-settings.ts';
import { withinIdle } from './within-idle.ts';

const KEEPALIVE = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/** Ciphers that Node has; for others, the library has slower code of its own. */
const algorithms: Algorithms = {
  cipher: { prepend: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'], append: [], remove: [] },
};

/** A session of the protocol, which may not be open yet. */
export interface SftpSession {
  /** @throws SystemError if it cannot be opened */
  readonly sftp: Promise<SFTPWrapper>;
  /** Ends it immediately, even while it is being opened. */
  close(): void;
}

/**
 * Opens a session with the host that has the expected key, within a number of milliseconds. `onClose` is called when it has
 * ended, which may be more than once.
 */
export function openSession(settings: SftpSettings, openMs: number, onClose: () => void): SftpSession {
  let client: Client | undefined;
  let isClosed = false;
  const close = () => {
    isClosed = true;
    client?.destroy();
    onClose();
  };
  const opening = async () => {
    // Loaded on first use.
    const { default: ssh2 } = await import('ssh2');
    if (isClosed) throw sessionFailure(new Error('the connection was closed'), undefined);
    client = new ssh2.Client();
    client.on('close', onClose);
    return connected(client, settings);
  };
  const sftp = withinIdle(opening(), openMs, close).catch((error) => {
    close();
    throw error;
  });
  return { sftp, close };
}

function connected(client: Client, settings: SftpSettings): Promise<SFTPWrapper> {
  const { host, port, user, hostKey, allowPrivate, password, privateKey, passphrase } = settings;
  const privateHosts = parsePrivateHosts(process.env.ALLOW_PRIVATE_HOSTS);
  const sock = new GuardedSocket({ allowPrivate, privateHosts });
  let refused: string | undefined;
  const hostVerifier = (key: Buffer) => {
    const fingerprint = fingerprintOf(key);
    const isExpected = fingerprint === withPrefix(hostKey);
    if (!isExpected) refused = fingerprint;
    return isExpected;
  };
  return new Promise((resolve, reject) => {
    // Stays, because an error after the session is open is reported by the requests that it ends.
    client.on('error', (error) => reject(sessionFailure(error, refused)));
    client.on('close', () => reject(sessionFailure(new Error('the connection was closed'), refused)));
    client.on('ready', () =>
      client.sftp((error, sftp) => (error ? reject(sessionFailure(error, undefined)) : resolve(sftp))),
    );
    try {
      client.connect({
        ...{ sock, username: user, readyTimeout: 0, ...KEEPALIVE, hostVerifier, algorithms },
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        ...(passphrase !== undefined && { passphrase }),
      });
      // Requests are small: each would otherwise wait until the previous one is acknowledged.
      sock.setNoDelay(true);
      sock.connect(port, host);
    } catch (error) {
      reject(sessionFailure(error, undefined));
    }
  });
}

/** As `ssh-keygen -l` prints it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function withPrefix(hostKey: string): string {
  return hostKey.startsWith('SHA256:') ? hostKey : `SHA256:${hostKey}`;
}
