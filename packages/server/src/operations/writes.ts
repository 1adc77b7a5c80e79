import type { Request } from '@unified/contract';
import { budgetOf } from '@unified/store';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './queue-write.ts';
import { writeResponse } from './write-response.ts';

/** Returns a write record of this connection. */
export async function getWrite({ path }: Request<'getWrite'>, { engine, scope }: DataContext) {
  return { status: 200, body: await engine.writeById(scope, path.writeId) } as const;
}

/** Legacy address of `getWrite`. */
export function getWorkOrderWrite(request: Request<'getWorkOrderWrite'>, context: DataContext) {
  return getWrite(request, context);
}

/** Returns a page of write records, newest first. It ends early if more would exceed the limit of a response. */
export async function listWrites({ query }: Request<'listWrites'>, { engine, scope, largestResponse }: DataContext) {
  const { per_page = 50, status, ...others } = query;
  // A dry run is returned, never stored.
  if (status === 'planned') return pageOf([], per_page, null);
  const wanted = { ...others, ...(status !== undefined && { status }), limit: per_page };
  const { data, nextCursor } = await engine.listWrites(scope, wanted, budgetOf(largestResponse));
  return pageOf(data, per_page, nextCursor);
}

function pageOf<Item>(data: Item[], perPage: number, nextCursor: string | null) {
  const meta = { current_page: null, per_page: perPage, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { status: 200, body: { meta, data } } as const;
}

/** Queues a failed or cancelled write again. */
export async function retryWrite({ path, headers }: Request<'retryWrite'>, { engine, scope }: DataContext) {
  return writeResponse(await engine.retryWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}

/** Settles a write with an unknown outcome by reading from the connected system. */
export async function verifyWrite({ path, headers }: Request<'verifyWrite'>, { engine, scope }: DataContext) {
  return writeResponse(await engine.verifyWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}

/** Cancels a write that was not sent. */
export async function cancelWrite({ path, headers }: Request<'cancelWrite'>, { engine, scope }: DataContext) {
  return writeResponse(await engine.cancelWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}

/** Queues a write that reverts a succeeded one, and returns the new write record. */
export async function compensateWrite({ path, headers }: Request<'compensateWrite'>, { engine, scope }: DataContext) {
  return writeResponse(await engine.compensateWrite(scope, path.writeId, idempotencyKeyOf(headers)));
}
