import { type Request, ServiceError } from '@unified/contract';
import { noSuchEntity } from '../query/known-entity.ts';
import type { DataContext } from './context.ts';

/** Returns the capabilities of the connected system for every entity of the document. */
export async function listCapabilities(_request: Request<'listCapabilities'>, { engine, scope }: DataContext) {
  return { status: 200, body: { meta: {}, data: await engine.capabilities(scope) } } as const;
}

/** Returns the capabilities of the connected system for one entity. */
export async function getCapability({ path }: Request<'getCapability'>, { engine, scope }: DataContext) {
  const data = (await engine.capabilities(scope)).find(({ entity }) => entity === path.entity);
  if (data) return { status: 200, body: { data } } as const;
  const { message, detail } = noSuchEntity(path.entity);
  throw new ServiceError('SERVICE_NOT_FOUND', message, { details: [{ path: 'path/entity', message, ...detail }] });
}
