import type { Request } from '@unified/contract';
import { entityWithRecords, unknownEntity } from '../query/known-entity.ts';
import type { DataContext } from './context.ts';
import { streamStatuses } from './get-sync-status.ts';

/** Has the connected system read; answers at once with the state of its streams. */
export async function startSync({ body }: Request<'startSync'>, context: DataContext) {
  const { mode = 'incremental', entities } = body ?? {};
  for (const [index, name] of (entities ?? []).entries()) {
    // A view is read with its members.
    if (!entityWithRecords(name)) throw unknownEntity('SERVICE_INVALID_BODY', `body/entities/${index}`, name);
  }
  const { engine, scope } = context;
  await engine.requestSyncOf(scope, mode, entities);
  return { status: 202, body: { data: await streamStatuses(context) } } as const;
}
