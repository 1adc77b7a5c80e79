import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { writeAnswer } from './write-answer.ts';

/** Queues a write that takes a succeeded one back, and answers with the new write record. */
export async function compensateWrite({ path, headers }: Request<'compensateWrite'>, { engine, scope }: DataContext) {
  return writeAnswer(await engine.compensateWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}
