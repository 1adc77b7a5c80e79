import type { Request } from '@unified/contract';
import type { ActOnWrite } from '@unified/engine';
import { budgetOf } from '@unified/store';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf } from './queue-write.ts';
import { checkShown, shownRecords } from './visible-records.ts';
import { checkChangeableWrite, shownWrite, visibleWrite } from './visible-writes.ts';
import { writeResponse } from './write-response.ts';

/** Returns a write record of this connection. */
export async function getWrite({ path }: Request<'getWrite'>, context: DataContext) {
  const write = await visibleWrite(context, path.writeId);
  return { status: 200, body: shownWrite(write, context) } as const;
}

/** Legacy address of `getWrite`. */
export function getWorkOrderWrite(request: Request<'getWorkOrderWrite'>, context: DataContext) {
  return getWrite(request, context);
}

/** Returns a page of write records, newest first. The page ends early if it would exceed the size limit of a response. */
export async function listWrites({ query }: Request<'listWrites'>, context: DataContext) {
  const { engine, scope, largestResponse } = context;
  const { per_page = 50, status, ...others } = query;
  const records = shownRecords(context);
  if (query.entity !== undefined) checkShown(records, query.entity);
  // A dry run is returned, never stored.
  if (status === 'planned') return pageOf([], per_page, null);
  const wanted = {
    ...others,
    ...(status !== undefined && { status }),
    limit: per_page,
    ...(records && { shown: records }),
  };
  const { data, nextCursor } = await engine.listWrites(scope, wanted, budgetOf(largestResponse));
  const shown = data.map((write) => shownWrite(write, context));
  return pageOf(shown, per_page, nextCursor);
}

function pageOf<Item>(data: Item[], perPage: number, nextCursor: string | null) {
  const meta = { current_page: null, per_page: perPage, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { status: 200, body: { meta, data } } as const;
}

/** Queues a failed or cancelled write again. */
export async function retryWrite(request: Request<'retryWrite'>, context: DataContext) {
  return act(context.engine.retryWrite, request, context);
}

/** Settles a write with an unknown outcome by reading from the connected system. */
export async function verifyWrite(request: Request<'verifyWrite'>, context: DataContext) {
  return act(context.engine.verifyWrite, request, context);
}

/** Cancels a write that has not been sent. */
export async function cancelWrite(request: Request<'cancelWrite'>, context: DataContext) {
  return act(context.engine.cancelWrite, request, context);
}

/** Queues a write that reverts a succeeded one, and returns the new write record. */
export async function compensateWrite(request: Request<'compensateWrite'>, context: DataContext) {
  return act(context.engine.compensateWrite, request, context);
}

/** Changes a write, and returns the resulting write record. */
async function act(change: ActOnWrite, { path, headers }: Request<'retryWrite'>, context: DataContext) {
  await checkChangeableWrite(context, path.writeId);
  return writeResponse(await change(context.scope, path.writeId, idempotencyKeyOf(headers)));
}
