import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { PlatformOptions } from './options.ts';

/**
 * Failures that could not be recognized: their status is that of a success, and the platform does not state how a body reports
 * them.
 */
export function failureProblems(
  id: string,
  { failedBy, failures = {} }: Pick<PlatformOptions, 'failedBy' | 'failures'>,
): DefinitionProblem[] {
  if (failedBy !== undefined) return [];
  const unseen = Object.keys(failures).filter((status) => status.startsWith('2'));
  return unseen.map((status) => ({
    file: `${id}/platform.yaml`,
    field: `options.failures.${status}`,
    message: 'needs "failedBy", which states how a body reports a failure',
  }));
}
