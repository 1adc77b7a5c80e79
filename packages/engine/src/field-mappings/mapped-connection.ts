import { type DefinitionProblem, type Platform, SystemError } from '@unified/connectors';
import { type ErrorCode, ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type AuditOrigin,
  type Connection,
  connectionById,
  type Scope,
  type Store,
} from '@unified/store';
import type { DriverPool, DriverSession } from '../drivers/driver-pool.ts';
import { failureOf, retryAfterOf } from '../drivers/system-failure.ts';
import type { SyncMode } from '../jobs/jobs.ts';
import { activeModel } from '../model/active-model.ts';
import { brokenError, isBroken, modelOrProblems } from '../model/broken-platform.ts';
import type { ConnectionModel } from '../model/connection-model.ts';
import { changedModel, type ModelChanges, modelChanges } from '../model/revised-model.ts';
import type { Systems } from '../model/systems.ts';

/** Services for the functions that manage field mappings. */
export interface MappingParts {
  readonly store: Store;
  readonly systems: Systems;
  readonly drivers: DriverPool;
}

/** Jobs that follow a change of mappings. */
export interface MappingJobs {
  requestDerivation(connectionId: string): Promise<void>;
  requestSync(connectionId: string, mode: SyncMode, streams: readonly string[]): Promise<void>;
}

/** Services for changes. */
export interface ChangingParts extends MappingParts {
  readonly jobs: MappingJobs;
  /** Who makes the changes, for the audit log. */
  readonly origin: AuditOrigin;
}

/** A connection of an application, whose mappings are managed. */
export interface MappedConnection {
  readonly connection: Connection;
  readonly scope: Scope;
  /** The model with the mappings that the platform ships. */
  readonly own: ConnectionModel;
  /** The model that the connection uses now. */
  readonly model: ConnectionModel;
  readonly changes: ModelChanges;
  /** The model with other changes. */
  changed(changes: ModelChanges): ConnectionModel;
  readonly platform: Platform;
}

/** Throws SERVICE_NOT_FOUND and SERVICE_PLATFORM_BROKEN. */
export async function mappedConnection(
  { store, systems }: MappingParts,
  { applicationId }: ApplicationScope,
  id: string,
): Promise<MappedConnection> {
  const connection = await connectionById(store, id);
  if (connection?.applicationId !== applicationId || connection.deletedAt !== null)
    throw new ServiceError('SERVICE_NOT_FOUND', 'There is no connection with this id.');
  const own = await modelOrProblems({ store, systems }, { ...connection, mappingVersion: 0 });
  if (isBroken(own)) throw brokenError(`The platform ${own.id}`, own.problems);
  const scope = store.scope({ applicationId, connectionId: id });
  const changes = await modelChanges(scope);
  const platform = systems.platformOf(connection.platform);
  const changed = (next: ModelChanges) => changedModel(platform, next);
  return { connection, scope, own, changes, changed, platform, model: changed(changes) };
}

/**
 * Runs calls to the connected system. Throws SERVICE_CONNECTION_INACTIVE, SERVICE_PLATFORM_BROKEN and the errors of the system.
 */
export async function withSystem<T>(
  parts: MappingParts,
  scope: Scope,
  work: (session: DriverSession) => Promise<T>,
): Promise<T> {
  try {
    const done = await parts.drivers.withDriver(scope.connectionId, async (session) => ({
      result: await work(session),
    }));
    if (done) return done.result;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const { code, message, details } = failureOf(error);
    const retryAfter = retryAfterOf(error);
    throw new ServiceError(code as ErrorCode, message, {
      ...{ details, cause: error },
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  await activeModel(parts, scope);
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
}

/** Ignores errors of the connected system, which the synchronization and the test report as well. */
export function unlessAvailable(error: unknown): null {
  const code = error instanceof ServiceError ? error.code : '';
  if (code.startsWith('SERVICE_SYSTEM_') || code === 'SERVICE_CONNECTION_INACTIVE') return null;
  throw error;
}

/** SERVICE_INVALID_BODY with every problem of a mapping that a client sent. */
export function invalidMapping(problems: readonly DefinitionProblem[]): ServiceError {
  const details = problems.map(({ field, message }) => ({
    path: ['body', ...pathInBody(field)].join('/'),
    message,
  }));
  const [first] = details;
  const others = details.length > 1 ? ` There are ${details.length} problems; see \`details\`.` : '';
  return new ServiceError('SERVICE_INVALID_BODY', `${first?.path}: ${first?.message}.${others}`, { details });
}

/** The path in the body: `fields.terms.lookup` is in `fields`, `where.path` in `parts`. */
function pathInBody(field: string): string[] {
  const steps = field.split('.').filter(Boolean);
  const [first = ''] = steps;
  return first === 'fields' || first === 'stream' || first === 'entity' ? steps : ['parts', ...steps];
}
