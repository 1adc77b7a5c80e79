import type { Request } from '@unified/contract';
import type { ShownConnection } from '@unified/engine';
import { pageOfConnections } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

/** Connections of the application that are not deleted, oldest first. */
export async function listConnections(
  { query }: Request<'listConnections'>,
  { application, connections }: ManagementContext,
) {
  const { per_page = 50, cursor, ...filters } = query;
  const wanted = { ...filters, after: idOfCursor(cursor), limit: per_page + 1 };
  const { meta, data } = idPage(await pageOfConnections(application, wanted), per_page);
  return {
    status: 200,
    body: { meta, data: (await connections.shown(data)).map(described) },
  } as const;
}

/** Checks the system before the connection is stored; the first synchronization begins immediately. */
export async function createConnection(request: Request<'createConnection'>, context: ManagementContext) {
  const { syncSchedule, ...given } = request.body;
  const wanted = { ...given, schedule: scheduleOf(syncSchedule) };
  return once(request, context, async () => ({ data: described(await context.connections.create(wanted)) }));
}

/** Throws SERVICE_NOT_FOUND. */
export async function getConnection({ path }: Request<'getConnection'>, { connections }: ManagementContext) {
  return found(await connections.get(path.id));
}

/** Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS, and the errors of the check. */
export async function updateConnection(
  { path, body }: Request<'updateConnection'>,
  { connections }: ManagementContext,
) {
  const { syncSchedule, ...changes } = body;
  return found(await connections.update(path.id, { ...changes, schedule: scheduleOf(syncSchedule) }));
}

/** Throws SERVICE_NOT_FOUND. */
export async function setConnectionActive(
  { path, body }: Request<'setConnectionActive'>,
  { connections }: ManagementContext,
) {
  return found(await connections.setActive(path.id, body.isActive));
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteConnection({ path }: Request<'deleteConnection'>, { connections }: ManagementContext) {
  await connections.delete(path.id);
  return { status: 204 } as const;
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_ALREADY_EXISTS. */
export async function restoreConnection(
  { path, body }: Request<'restoreConnection'>,
  { connections }: ManagementContext,
) {
  return found(await connections.restore(path.id, body ?? {}));
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_UNAVAILABLE while a worker uses the connection. */
export async function purgeConnection({ path }: Request<'purgeConnection'>, { connections }: ManagementContext) {
  await connections.purge(path.id);
  return { status: 204 } as const;
}

/** The schedule with the names that the store uses. */
function scheduleOf({ everyMinutes, fullEveryHours }: Request<'updateConnection'>['body']['syncSchedule'] = {}) {
  return {
    ...(everyMinutes !== undefined && { syncEveryMinutes: everyMinutes }),
    ...(fullEveryHours !== undefined && { fullSyncEveryHours: fullEveryHours }),
  };
}

function found(connection: ShownConnection) {
  return { status: 200, body: { data: described(connection) } } as const;
}

/** A connection as the document describes it. */
function described(connection: ShownConnection) {
  const { id, platform, name, status, health, settings, metadata, endCustomerId } = connection;
  const { syncEveryMinutes, fullSyncEveryHours, createdAt, updatedAt, deletedAt } = connection;
  return {
    ...{ id, platform, name, health, settings, metadata, endCustomerId, createdAt, updatedAt, deletedAt },
    syncSchedule: { everyMinutes: syncEveryMinutes, fullEveryHours: fullSyncEveryHours },
    status: deletedAt === null ? status : ('deleted' as const),
  };
}
