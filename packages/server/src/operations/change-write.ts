import type { WriteRecord } from '@unified/store';
import type { Context } from './context.ts';

interface Request {
  readonly path: { readonly writeId: string };
}
type Change = 'retryWrite' | 'verifyWrite' | 'cancelWrite' | 'compensateWrite';

/** Handler of an operation on a write record: 202 while something is left to be done, otherwise 200. */
function changeWrite(change: Change) {
  return async ({ path }: Request, { engine, scope }: Context) => answerFor(await engine[change](scope, path.writeId));
}

function answerFor(write: WriteRecord) {
  const isDone = write.status !== 'pending' && write.status !== 'running';
  if (isDone) return { status: 200, body: write } as const;
  return { status: 202, body: write, headers: { Location: `/v4/writes/${write.writeId}` } } as const;
}

export const retryWrite = changeWrite('retryWrite');
export const verifyWrite = changeWrite('verifyWrite');
export const cancelWrite = changeWrite('cancelWrite');
export const compensateWrite = changeWrite('compensateWrite');
