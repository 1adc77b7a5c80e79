import type { Operation, OperationKind, OwnHandlers } from '@unified/contract';
import type { Engine } from '@unified/engine';
import { type ContentDigest, ping, type ScopeOf, type Store } from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import type { QueryString } from '../query/query-string.ts';
import { getAttachment, storeFile } from './attachments.ts';
import { getCapability, listCapabilities } from './capabilities.ts';
import { createRecord, deleteRecord, replaceRecord, updateRecord } from './change-records.ts';
import type { Contexts, DataContext, SystemContext } from './context.ts';
import { createRecords } from './create-records.ts';
import { getHealth } from './get-health.ts';
import { listChanges } from './list-changes.ts';
import { getRecord, listRecords } from './read-records.ts';
import { replaceFiscalCalendarByCode } from './replace-fiscal-calendar-by-code.ts';
import { putWorkOrderStatus, runAction } from './run-action.ts';
import { getSyncStatus, startSync } from './sync.ts';
import {
  cancelWrite,
  compensateWrite,
  getWorkOrderWrite,
  getWrite,
  listWrites,
  retryWrite,
  verifyWrite,
} from './writes.ts';

/** Handlers of the operations that do not follow the conventions, by surface. */
const own = {
  data: {
    cancelWrite,
    compensateWrite,
    getAttachment,
    getCapability,
    getSyncStatus,
    getWorkOrderWrite,
    getWrite,
    listCapabilities,
    listChanges,
    listWrites,
    putWorkOrderStatus,
    replaceFiscalCalendarByCode,
    retryWrite,
    startSync,
    verifyWrite,
  },
  system: { getHealth },
} satisfies OwnHandlers<Contexts>;

/** One handler per kind of operation serves all entities that follow the conventions. */
const byKind = {
  list: listRecords,
  get: getRecord,
  create: createRecord,
  createMany: createRecords,
  update: updateRecord,
  replace: replaceRecord,
  delete: deleteRecord,
  action: runAction,
} satisfies Record<Exclude<OperationKind, 'other' | 'planned'>, AnyHandler<DataContext>>;

/**
 * A handler of any operation. The type of its request depends on the operation, so only the validator can provide one.
 */
export type AnyHandler<Context> = (request: never, context: Context) => Promise<HttpResponse>;

/** The handler of an operation, and the surface whose context it expects. */
type BoundHandler =
  | { readonly surface: 'data'; readonly handle: AnyHandler<DataContext> }
  | { readonly surface: 'system'; readonly handle: AnyHandler<SystemContext> };

const ownData: Readonly<Record<string, AnyHandler<DataContext>>> = own.data;
const ownSystem: Readonly<Record<string, AnyHandler<SystemContext>>> = own.system;

/** The services that contexts of handlers are made from. Handlers cannot access them directly. */
export interface Services {
  readonly store: Store;
  readonly engine: Engine;
}

/** Inputs of a context besides the services. */
interface Caller {
  /** The connection that the request was authenticated for. Throws `SERVICE_UNAUTHORIZED` if it was for none. */
  connection(): ScopeOf;
  accepts: DataContext['accepts'];
}

/** A checked request: of the type that the handler of its operation declares, which the validator ensures. */
interface Checked {
  readonly query: Readonly<Record<string, unknown>>;
}

/** The handler of an operation with the context of its surface. */
interface Callable {
  /** Stores the file of a checked request; only for operations on data. */
  readonly storeFile?: (checked: Checked, bytes: AsyncIterable<Uint8Array>) => Promise<ContentDigest>;
  /** `sent` is the query as it was sent, before defaults. Rejects with the `ServiceError` to respond with. */
  call(checked: Checked, sent: QueryString): Promise<HttpResponse>;
}

/**
 * Returns a function that makes the context of an operation's surface and binds the operation's handler to it. Throws
 * if a served operation has no handler.
 */
export function createHandlers({ store, engine }: Services, operations: readonly Operation[]) {
  const handlers = handlersOf(operations);
  const system: SystemContext = { ping: () => ping(store) };
  return (operation: Operation, { connection, accepts }: Caller): Callable => {
    const handler = handlers.get(operation.id);
    if (!handler) throw new Error(`${operation.id} is not served.`);
    if (handler.surface === 'system') return { call: (checked) => handler.handle(checked as never, system) };
    const scope = store.scope(connection());
    return {
      storeFile: (checked, bytes) => storeFile(checked, bytes, { engine, scope, operation }),
      call: (checked, sent) => handler.handle(checked as never, { operation, scope, engine, sent, accepts }),
    };
  };
}

/** The handlers of these operations by id. Throws if a served one has no handler. */
export function handlersOf(operations: readonly Operation[]): ReadonlyMap<string, BoundHandler> {
  const served = operations.filter(({ kind }) => kind !== 'planned');
  return new Map(served.map((operation) => [operation.id, handlerOf(operation)]));
}

function handlerOf({ id, kind, surface }: Operation): BoundHandler {
  const data = ownData[id] ?? (kind === 'other' || kind === 'planned' ? undefined : byKind[kind]);
  if (surface === 'data' && data) return { surface, handle: data };
  const system = ownSystem[id];
  if (surface === 'system' && system) return { surface, handle: system };
  throw new Error(`No handler serves ${id} in the surface ${surface}.`);
}
