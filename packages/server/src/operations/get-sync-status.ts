import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';

/** Answers with the state of the synchronisation, stream by stream. */
export async function getSyncStatus(_request: Request<'getSyncStatus'>, context: DataContext) {
  return { status: 200, body: { data: await streamStatuses(context) } } as const;
}

/** How the copy of each stream of the connection stands, as the document says it. */
export async function streamStatuses({ engine, scope }: Pick<DataContext, 'engine' | 'scope'>) {
  const statuses = await engine.syncStatus(scope);
  return statuses.map(({ entities, problems, ...status }) => ({
    ...status,
    entities: [...entities],
    problems: [...problems],
  }));
}
