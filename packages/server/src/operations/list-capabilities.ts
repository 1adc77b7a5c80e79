import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';

/** Answers with what the connected system can do, for every entity of the document. */
export async function listCapabilities(_request: Request<'listCapabilities'>, { engine, scope }: DataContext) {
  return { status: 200, body: { meta: {}, data: await engine.capabilities(scope) } } as const;
}
