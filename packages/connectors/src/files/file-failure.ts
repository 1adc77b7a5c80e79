import type { Explanation } from '../explanation.ts';
import { SystemError, type SystemErrorKind } from '../system-error.ts';

/** A file whose content cannot be used. It is not read again before it changes, or the platform does. */
export function unusableFile(name: string, problem: string): SystemError {
  return new SystemError('rejected', `${name} ${problem}`, { explanation: explained(name, problem, CORRECT) });
}

/** A file that is not complete yet, or is missing. `retryAfter` is in seconds. */
export function incompleteFile(name: string, problem: string, retryAfter?: number): SystemError {
  const explanation = explained(name, problem, 'It is read as soon as it is there and complete.');
  return new SystemError('unavailable', `${name} ${problem}`, {
    explanation,
    ...{ retryAfter, isOnlyForCall: true },
  });
}

/** A failure with what its user can do about it. */
export function explainedFailure(kind: SystemErrorKind, problem: string, remedy: string): SystemError {
  return new SystemError(kind, problem, { explanation: { problem: `${problem}.`, remedy } });
}

/** Settings of a folder that cannot be used. */
export function wrongSettings(problem: string): SystemError {
  return explainedFailure('rejected', problem, 'Correct the settings of the connection.');
}

const CORRECT = 'Correct the file or the options of its stream; it is then read again.';

function explained(name: string, problem: string, remedy: string): Explanation {
  return { problem: `${name} ${problem}.`, remedy };
}

const codes: Readonly<Record<string, readonly [kind: SystemErrorKind, problem: string]>> = {
  ENOENT: ['unavailable', 'does not exist. Its records stay as they are'],
  ENOTDIR: ['unavailable', 'is not in a folder. Its records stay as they are'],
  EACCES: ['forbidden', 'cannot be opened. Give the user of the service the right to read it'],
  EPERM: ['forbidden', 'cannot be opened. Give the user of the service the right to read it'],
  ELOOP: ['forbidden', 'is a link, and links are not followed here'],
  EBUSY: ['unavailable', 'is locked by another program'],
};

/** The meaning of an error of the file system. The path, which may contain names of the operator, is only in the cause. */
export function fileFailure(name: string, cause: unknown): SystemError {
  if (cause instanceof SystemError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const [kind, problem] = codes[code] ?? ['unavailable', `cannot be read${code && ` (${code})`}`];
  const explanation = explained(name, problem, 'Check the folder of the connection and the names of its files.');
  return new SystemError(kind, `${name} ${problem}`, { explanation, cause: String(cause) });
}
