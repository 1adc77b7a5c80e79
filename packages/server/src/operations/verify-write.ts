import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { writeAnswer } from './write-answer.ts';

/** Settles a write whose outcome is unknown by looking at the connected system. */
export async function verifyWrite({ path, headers }: Request<'verifyWrite'>, { engine, scope }: DataContext) {
  return writeAnswer(await engine.verifyWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}
