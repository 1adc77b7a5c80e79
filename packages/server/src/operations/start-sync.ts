import { entityOf, type Request, ServiceError } from '@unified/contract';
import type { Context } from './context.ts';
import { streamStatuses } from './get-sync-status.ts';

/** Has the connected system read; answers at once with the state of its streams. */
export async function startSync({ body }: Request<'startSync'>, context: Context) {
  const { mode = 'incremental', entities } = body ?? {};
  for (const [index, name] of (entities ?? []).entries()) if (!hasRecords(name)) throw unknown(name, index);
  const { engine, scope } = context;
  await (entities ? engine.requestSyncOf(scope, mode, entities) : engine.requestSync(scope.connectionId, mode));
  return { status: 202, body: { data: await streamStatuses(context) } } as const;
}

/** Whether an entity has records of its own; a view is read with its members. */
function hasRecords(name: string): boolean {
  const entity = entityOf(name);
  return entity !== undefined && entity.view === undefined;
}

function unknown(name: string, index: number): ServiceError {
  const message = `There is no entity "${name}". Name it as references do in rel, for example PurchaseOrder.`;
  return new ServiceError('SERVICE_INVALID_BODY', message, { details: [{ path: `body/entities/${index}`, message }] });
}
