import type { Platform } from '@unified/connectors';
import { type Request, ServiceError } from '@unified/contract';
import type { ManagementContext } from './context.ts';

/** The kinds of systems that can be connected, in alphabetical order. */
export async function listPlatforms(_request: unknown, { platforms }: ManagementContext) {
  return { status: 200, body: { meta: {}, data: platforms().map(shown) } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getPlatform({ path }: Request<'getPlatform'>, { platforms }: ManagementContext) {
  const found = platforms().find(({ id }) => id === path.platform);
  if (!found) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no platform with this id.');
  return { status: 200, body: { data: shown(found) } } as const;
}

function shown({ id, name, description, settings, mappings }: Platform) {
  return { id, name, description, settings: { ...settings }, entities: Object.keys(mappings).sort() };
}
