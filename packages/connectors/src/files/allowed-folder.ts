import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Explanation } from '../explanation.ts';
import { SystemError } from '../system-error.ts';
import { fileFailure } from './file-failure.ts';

const SAME = 'for the server, for its workers, and for `npm run connect` and `npm run connector`.';
const NOT_ALLOWED: Explanation = {
  problem: 'Files cannot be read.',
  remedy: `Set FILES_FOLDER to the folder that contains them, ${SAME}`,
};
const OUTSIDE: Explanation = {
  problem: 'The folder is not in the folder that FILES_FOLDER names.',
  remedy: `Send a path below that folder, and set FILES_FOLDER to the same folder ${SAME}`,
};
const GONE: Explanation = {
  problem: 'There is no such folder in the folder that FILES_FOLDER names.',
  remedy: `Check the path, and that FILES_FOLDER is the same ${SAME}`,
};

/** For clients, which cannot find out which folders exist. */
const NO_FOLDER = 'The connected system does not have the folder of the connection';

/** The folder of a connection and the folder that the operator allows (`FILES_FOLDER`), without links. */
export interface AllowedFolder {
  readonly path: string;
  readonly root: string;
}

/**
 * The folder that a connection names. It must be the folder of the operator, or below it; links that lead out of it are not
 * followed.
 *
 * @throws SystemError `unauthorized` for any other folder, whether or not it exists; `unavailable` if it does not exist
 */
export async function allowedFolder(folder: string, root: string | undefined): Promise<AllowedFolder> {
  if (!root)
    throw refusal(
      'FILES_FOLDER is not set',
      NOT_ALLOWED,
      'Files cannot be read: FILES_FOLDER is not set for the server',
    );
  const named = resolve(root, folder);
  if (!isWithin(named, resolve(root))) throw refusal('The folder is not in FILES_FOLDER', OUTSIDE);
  const allowed: AllowedFolder = await Promise.all([realpath(named), realpath(root)]).then(
    ([path, real]) => ({ path, root: real }),
    (cause) => {
      const { kind, words } = fileFailure('The folder of the connection', cause);
      throw new SystemError(kind, words, { explanation: GONE, cause: String(cause) });
    },
  );
  if (!isWithin(allowed.path, allowed.root)) throw refusal('The folder is not in FILES_FOLDER', OUTSIDE);
  return allowed;
}

/** Whether a path is a folder, or in it. Both are absolute, without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function refusal(words: string, explanation: Explanation, clientWords = NO_FOLDER): SystemError {
  return new SystemError('unauthorized', words, { clientWords, explanation });
}
