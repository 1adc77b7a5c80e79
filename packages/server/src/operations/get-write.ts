import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';

/** Answers with a write record of this connection. */
export async function getWrite({ path }: Request<'getWrite'>, { engine, scope }: DataContext) {
  return { status: 200, body: await engine.writeById(scope, path.writeId) } as const;
}
