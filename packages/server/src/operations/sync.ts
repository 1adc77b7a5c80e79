import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';

/** Returns the sync status of each stream. */
export async function getSyncStatus(_request: Request<'getSyncStatus'>, context: DataContext) {
  return { status: 200, body: await syncStatus(context) } as const;
}

async function syncStatus(context: Pick<DataContext, 'engine' | 'scope'>) {
  const [data, quota] = await Promise.all([streamStatuses(context), context.engine.callQuota(context.scope)]);
  return { data, ...(quota && { quota }) };
}

/** The sync status of each stream of the connection, as the document describes it. */
async function streamStatuses({ engine, scope }: Pick<DataContext, 'engine' | 'scope'>) {
  const statuses = await engine.syncStatus(scope);
  return statuses.map(({ entities, problems, columnChanges, ...status }) => ({
    ...status,
    entities: [...entities],
    problems: [...problems],
    columnChanges: columnChanges.map(({ fields, ...each }) => ({ ...each, fields: [...fields] })),
  }));
}

/** Requests a sync, and immediately returns the status of the streams. */
export async function startSync({ body }: Request<'startSync'>, context: DataContext) {
  const { mode = 'incremental', ...wanted } = body ?? {};
  const { engine, scope } = context;
  await engine.requestSyncOf(scope, mode, wanted);
  return { status: 202, body: await syncStatus(context) } as const;
}
