import type { Request } from '@unified/contract';
import type { Context } from './context.ts';

/** Answers with a write record of this connection. */
export async function getWrite({ path }: Request<'getWrite'>, { engine, scope }: Context) {
  return { status: 200, body: await engine.writeById(scope, path.writeId) } as const;
}
