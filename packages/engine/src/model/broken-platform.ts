import { DefinitionError, type DefinitionProblem, type Platform } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import type { Systems } from './systems.ts';

/** A platform whose own files cannot be used, so that nothing of it works. */
export interface BrokenPlatform {
  readonly id: string;
  readonly problems: readonly DefinitionProblem[];
}

/** The platform, or what is wrong with its files. */
export function platformOrProblems(systems: Systems, id: string): Platform | BrokenPlatform {
  try {
    return systems.platformOf(id);
  } catch (error) {
    if (error instanceof DefinitionError) return { id, problems: error.problems };
    throw error;
  }
}

export function isBroken(platform: Platform | BrokenPlatform): platform is BrokenPlatform {
  return 'problems' in platform;
}

/** SERVICE_PLATFORM_BROKEN with file and field of every problem. */
export function brokenError(what: string, problems: readonly DefinitionProblem[]): ServiceError {
  const details = problems.map(({ file, field, message }) => ({
    path: [file, field].filter(Boolean).join(': '),
    message,
  }));
  const [first] = details;
  const message = `${what} cannot be used: ${first?.path}: ${first?.message}. Correct it and restart the service.`;
  return new ServiceError('SERVICE_PLATFORM_BROKEN', message, { details });
}

/** What is wrong with the mapping of an entity; undefined when it can be used, or there is none. */
export function brokenMapping({ broken }: Platform, entity: string) {
  return broken.find((each) => each.entity === entity);
}
