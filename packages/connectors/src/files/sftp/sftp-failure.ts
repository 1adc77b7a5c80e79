import { isFailedAddress } from '../../net/address-guard.ts';
import { SystemError } from '../../system-error.ts';
import { explainedFailure, incompleteFile } from '../file-failure.ts';

/** Codes of the protocol. */
const [NO_SUCH_FILE, PERMISSION_DENIED] = [2, 3];

/** What a failed request for a file or folder means. The messages of the server are not used; they can contain paths. */
export function sftpFailure(name: string, cause: unknown): SystemError {
  if (cause instanceof SystemError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === NO_SUCH_FILE) return incompleteFile(name, 'does not exist. Its records stay as they are');
  if (code === PERMISSION_DENIED) {
    const problem = `${name} may not be read by this user`;
    return explainedFailure('forbidden', problem, 'Give the user the right to read it on the SFTP server.');
  }
  const shown = typeof code === 'number' ? ` (SFTP status ${code})` : '';
  return incompleteFile(name, `could not be read to its end${shown}. It is read again`);
}

/** Why a session could not be opened. `fingerprint` is that of the key that the host presented, if it is not the expected one. */
export function sessionFailure(cause: unknown, fingerprint: string | undefined): SystemError {
  if (cause instanceof SystemError) return cause;
  if (fingerprint !== undefined) {
    const problem = `The host has the key ${fingerprint}, which is not the one in the setting hostKey`;
    const remedy =
      'Compare it with the key that the administrator of the host names (ssh-keygen -l), and set hostKey to it. ' +
      'If it changed unexpectedly, another machine may have taken the address.';
    return explainedFailure('unauthorized', problem, remedy);
  }
  const level = cause instanceof Error && 'level' in cause ? cause.level : undefined;
  if (level === 'client-authentication')
    return explainedFailure(
      'unauthorized',
      'The SFTP server refuses the user',
      'Check user, and password or privateKey.',
    );
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/privateKey/i.test(message))
    return explainedFailure('unauthorized', 'The private key cannot be read', 'Check privateKey and passphrase.');
  const clientWords = 'The connected system cannot be reached';
  if (level === 'client-timeout') return new SystemError('unavailable', 'The SFTP server does not respond', { cause });
  const shown = isFailedAddress(cause) ? { clientWords } : {};
  return new SystemError('unavailable', `No connection to the SFTP server: ${message}`, { cause, ...shown });
}
