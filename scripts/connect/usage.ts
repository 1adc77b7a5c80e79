import { nearest } from '@unified/contract';

/** Wrong use of the command: printed on standard error as it is, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What cannot be done now, and what to do: printed on standard error, with exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(problem: string, remedy: string, options: ErrorOptions = {}) {
    super(`✗ ${problem}\n  ${remedy}`, options);
  }
}

/** Throws a `UsageError` with all problems, one a line, unless there is none. */
export function refuseProblems(problems: readonly string[], see: string): void {
  if (problems.length === 0) return;
  throw new UsageError(
    `${problems.map((problem) => `✗ ${problem}`).join('\n')}\n\nSee: npm run connect -- ${see} --help`,
  );
}

/** ` Did you mean tryton?`, or nothing. */
export function didYouMean(name: string, candidates: readonly string[], prefix = ''): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
}
