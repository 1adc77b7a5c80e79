import { ServiceError } from '@unified/contract';
import { connectionById, type Scope, type Store } from '@unified/store';
import { type BrokenPlatform, brokenError, isBroken, modelOrProblems } from './broken-platform.ts';
import type { ConnectionModel } from './connection-model.ts';
import type { ModelParts } from './systems.ts';

/** The model of an active connection. Throws SERVICE_CONNECTION_INACTIVE and SERVICE_PLATFORM_BROKEN. */
export async function activeModel(parts: ModelParts, scope: Scope): Promise<ConnectionModel> {
  const model = await knownModel(parts, scope);
  if (isBroken(model)) throw brokenError(`The platform ${model.id}`, model.problems);
  return model;
}

/** Like `activeModel`, but returns the problems if the platform cannot be used. Throws SERVICE_CONNECTION_INACTIVE. */
export async function knownModel(parts: ModelParts, scope: Scope): Promise<ConnectionModel | BrokenPlatform> {
  const { connectionId: id, applicationId, platform, mappingVersion } = scope;
  // A scope with a platform was created for a request whose token was just found to belong to an active connection.
  if (platform !== undefined && mappingVersion !== undefined)
    return modelOrProblems(parts, { id, applicationId, platform, mappingVersion });
  const connection = await connectionById(parts.store, id);
  if (connection?.status === 'active') return modelOrProblems(parts, connection);
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
}

/** Whether a connection is active now. Workers check this between two pages. */
export async function isStillActive(store: Store, connectionId: string): Promise<boolean> {
  return (await connectionById(store, connectionId))?.status === 'active';
}

/**
 * Whether a connection is active and has not changed since a session was opened for it. The write queue checks it
 * before each write.
 */
export async function isStillCurrent(
  store: Store,
  { connectionId, updatedAt }: { readonly connectionId: string; readonly updatedAt: string },
): Promise<boolean> {
  const connection = await connectionById(store, connectionId);
  return connection?.status === 'active' && connection.updatedAt === updatedAt;
}
