import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { writeAnswer } from './write-answer.ts';

/** Cancels a write that was not sent yet. */
export async function cancelWrite({ path, headers }: Request<'cancelWrite'>, { engine, scope }: DataContext) {
  return writeAnswer(await engine.cancelWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}
