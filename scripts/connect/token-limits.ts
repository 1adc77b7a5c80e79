import { accessProblem, nearest } from '@unified/contract';
import type { NewToken, TokenScope } from '@unified/store';
import { filled, type Given } from '../command-line/flags.ts';

const SCOPES: readonly TokenScope[] = ['read', 'write', 'passthrough'];

/** The limits of a token in `--scopes` and `--access`. Absent options set no limit. Adds a problem if they cannot be read. */
export function tokenLimits(given: Given, problems: string[]): Pick<NewToken, 'scopes' | 'access'> {
  const [scopes, access] = [filled(given, 'scopes', problems), filled(given, 'access', problems)];
  return {
    ...(scopes !== undefined && { scopes: scopesIn(scopes, problems) }),
    ...(access !== undefined && { access: accessIn(access, problems) }),
  };
}

function scopesIn(text: string, problems: string[]): TokenScope[] {
  const names = text.split(',').map((each) => each.trim());
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  if (scopes.length !== names.length)
    problems.push(`--scopes must be ${SCOPES.join(', ')}, or several of them separated by commas, not "${text}".`);
  return scopes;
}

/** Entities separated by spaces, each with its fields after a colon. */
function accessIn(text: string, problems: string[]): NonNullable<NewToken['access']> {
  const access = text
    .trim()
    .split(/\s+/)
    .map((each) => {
      const [entity = '', fields] = each.split(':');
      return { entity, ...(fields !== undefined && { fields: fields.split(',') }) };
    });
  const problem = accessProblem(access);
  const meant = problem?.unknown && nearest(problem.unknown.sent, problem.unknown.allowed);
  if (problem) problems.push(`--access: ${problem.message}${meant === undefined ? '' : ` Did you mean "${meant}"?`}`);
  return access;
}
