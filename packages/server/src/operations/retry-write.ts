import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { writeAnswer } from './write-answer.ts';

/** Queues a failed or cancelled write again. */
export async function retryWrite({ path, headers }: Request<'retryWrite'>, { engine, scope }: DataContext) {
  return writeAnswer(await engine.retryWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}
