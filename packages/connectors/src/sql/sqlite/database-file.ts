import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SystemError } from '../../system-error.ts';

/**
 * The file that a connection string names, if it is in the folder of the operator (`SQLITE_FOLDER`); a link that leads out of
 * the folder is not followed.
 *
 * @throws SystemError `unauthorized` for any other file, whether or not it exists
 */
export function databaseFile(url: string, folder: string | undefined): string {
  if (!folder) throw refusal('Databases in files are not allowed: set SQLITE_FOLDER to the folder that contains them');
  try {
    const file = realpathSync(fileURLToPath(url.replace(/^sqlite:/, 'file:')));
    if (file.startsWith(`${realpathSync(folder)}${sep}`)) return file;
  } catch (cause) {
    throw refusal('SQLITE_FOLDER has no such file', cause);
  }
  throw refusal('SQLITE_FOLDER has no such file');
}

function refusal(words: string, cause?: unknown): SystemError {
  return new SystemError('unauthorized', words, {
    clientWords: 'The connected system does not have the database of the connection',
    cause,
  });
}
