import type { Platform } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { connectionById, type Scope, type Store } from '@unified/store';
import { type BrokenPlatform, brokenError, isBroken, platformOrProblems } from './broken-platform.ts';
import type { Systems } from './systems.ts';

interface Parts {
  readonly store: Store;
  readonly systems: Systems;
}

/** The platform of a connection. Throws SERVICE_CONNECTION_INACTIVE and SERVICE_PLATFORM_BROKEN. */
export async function activePlatform(parts: Parts, scope: Scope): Promise<Platform> {
  const platform = await knownPlatform(parts, scope);
  if (isBroken(platform)) throw brokenError(`The platform ${platform.id}`, platform.problems);
  return platform;
}

/** The same, and what is wrong with it when its files cannot be used. Throws SERVICE_CONNECTION_INACTIVE. */
export async function knownPlatform(
  { store, systems }: Parts,
  { connectionId }: Scope,
): Promise<Platform | BrokenPlatform> {
  const connection = await connectionById(store, connectionId);
  if (connection?.status === 'active') return platformOrProblems(systems, connection.platform);
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
}
