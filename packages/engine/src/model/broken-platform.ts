import { DefinitionError, type DefinitionProblem } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import type { ConnectionModel } from './connection-model.ts';
import { type ModelKey, type ModelParts, resolveModel } from './systems.ts';

/** A platform whose own files cannot be used. Its connections are neither read nor written. */
export interface BrokenPlatform {
  readonly id: string;
  readonly problems: readonly DefinitionProblem[];
}

/** The model of a connection, or the problems of its platform if that cannot be used. */
export async function modelOrProblems(
  parts: ModelParts,
  connection: ModelKey,
): Promise<ConnectionModel | BrokenPlatform> {
  try {
    return await resolveModel(parts, connection);
  } catch (error) {
    if (error instanceof DefinitionError) return { id: connection.platform, problems: error.problems };
    throw error;
  }
}

export function isBroken(model: ConnectionModel | BrokenPlatform): model is BrokenPlatform {
  return 'problems' in model;
}

/** SERVICE_PLATFORM_BROKEN with the file and field of every problem. */
export function brokenError(what: string, problems: readonly DefinitionProblem[]): ServiceError {
  const details = problems.map(({ file, field, message }) => ({
    path: [file, field].filter(Boolean).join(': '),
    message,
  }));
  const [first] = details;
  const message = `${what} cannot be used: ${first?.path}: ${first?.message}. Correct it; it is loaded again within seconds.`;
  return new ServiceError('SERVICE_PLATFORM_BROKEN', message, { details });
}

/** The broken mapping of an entity; undefined if its mapping can be used or does not exist. */
export function brokenMapping({ broken }: ConnectionModel, entity: string) {
  return broken.find((each) => each.entity === entity);
}
