import { type Request, ServiceError } from '@unified/contract';
import { writeById, writeRecordOf } from '@unified/store';
import type { Context } from './context.ts';

/** Answers with a write record of this connection. */
export async function getWrite({ path }: Request<'getWrite'>, { scope }: Context) {
  const write = await writeById(scope, path.writeId);
  if (!write) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no such write record on this connection.');
  return { status: 200, body: writeRecordOf(write) } as const;
}

/** Legacy address of `getWrite`. */
export const getWorkOrderWrite = getWrite;
