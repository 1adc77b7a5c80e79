import type { Request } from '@unified/contract';
import type { Context } from './context.ts';
import { writeAnswer } from './write-answer.ts';

/** Queues a failed or cancelled write again. */
export async function retryWrite({ path }: Request<'retryWrite'>, { engine, scope }: Context) {
  return writeAnswer(await engine.retryWrite(scope, path.writeId));
}
