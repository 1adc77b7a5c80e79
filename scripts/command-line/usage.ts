import { nearest } from '@unified/contract';

/** Wrong usage of the command: printed to standard error, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure and its remedy: printed to standard error, with exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(problem: string, remedy: string, options: ErrorOptions = {}) {
    super(`✗ ${problem}\n  ${remedy}`, options);
  }
}

/** Throws a `UsageError` with all problems, one per line, if there are any; `see` is the command with help, after `npm run`. */
export function refuseProblems(problems: readonly string[], see: string): void {
  if (problems.length === 0) return;
  throw new UsageError(`${problems.map((problem) => `✗ ${problem}`).join('\n')}\n\nSee: npm run ${see} --help`);
}

/** ` Did you mean tryton?`, or nothing: the nearest name, or the only one that begins with these letters. */
export function didYouMean(name: string, candidates: readonly string[], prefix = ''): string {
  const meant = nearest(name, candidates) ?? onlyBeginningWith(name, candidates);
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
}

function onlyBeginningWith(name: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((each) => name !== '' && each.toLowerCase().startsWith(name.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}
