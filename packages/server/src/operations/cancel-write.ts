import type { Request } from '@unified/contract';
import type { Context } from './context.ts';
import { writeAnswer } from './write-answer.ts';

/** Cancels a write that was not sent yet. */
export async function cancelWrite({ path }: Request<'cancelWrite'>, { engine, scope }: Context) {
  return writeAnswer(await engine.cancelWrite(scope, path.writeId));
}
