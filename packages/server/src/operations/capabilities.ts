import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';

/** Returns the capabilities of the connected system for every entity of the document. */
export async function listCapabilities(_request: Request<'listCapabilities'>, { engine, scope }: DataContext) {
  return { status: 200, body: { meta: {}, data: await engine.capabilities(scope) } } as const;
}

/** Returns the capabilities of the connected system for one entity. */
export async function getCapability({ path }: Request<'getCapability'>, { engine, scope }: DataContext) {
  return { status: 200, body: { data: await engine.capability(scope, path.entity) } } as const;
}
