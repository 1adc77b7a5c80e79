import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Explanation } from '../../explanation.ts';
import { SystemError } from '../../system-error.ts';

const NOT_ALLOWED: Explanation = {
  problem: 'SQLite files cannot be read.',
  remedy:
    'Set SQLITE_FOLDER to the folder that contains them, for the server, for its workers, and for `npm run connect` and `npm run connector`.',
};
/** For clients: no name of a file. */
const NOT_SET = 'SQLite files cannot be read: SQLITE_FOLDER is not set for the server';
const NO_DATABASE = 'The connected system does not have the database of the connection';
const NO_FILE: Explanation = {
  problem: 'There is no such database in the folder that SQLITE_FOLDER names.',
  remedy:
    'Check the path, and that SQLITE_FOLDER is the same for the server, for its workers, and for `npm run connect` and `npm run connector`.',
};

/**
 * The file that a connection string names, if it is in the folder of the operator (`SQLITE_FOLDER`); links that lead out of the
 * folder are not followed.
 *
 * @throws SystemError `unauthorized` for any other file, whether or not it exists
 */
export function databaseFile(url: string, folder: string | undefined): string {
  if (!folder) throw refusal('SQLITE_FOLDER is not set', NOT_ALLOWED, { clientWords: NOT_SET });
  try {
    const file = realpathSync(fileURLToPath(url.replace(/^sqlite:/, 'file:')));
    if (file.startsWith(`${realpathSync(folder)}${sep}`)) return file;
  } catch (cause) {
    throw refusal('SQLITE_FOLDER has no such file', NO_FILE, { cause });
  }
  throw refusal('SQLITE_FOLDER has no such file', NO_FILE);
}

function refusal(
  words: string,
  explanation: Explanation,
  { clientWords = NO_DATABASE, cause }: { readonly clientWords?: string; readonly cause?: unknown } = {},
): SystemError {
  return new SystemError('unauthorized', words, { clientWords, explanation, cause });
}
