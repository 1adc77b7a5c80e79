import {
  type ConventionalId,
  type Handlers,
  type Operation,
  type OperationKind,
  type OwnHandlers,
  operations,
} from '@unified/contract';
import { cancelWrite } from './cancel-write.ts';
import { compensateWrite } from './compensate-write.ts';
import type { Context } from './context.ts';
import { createRecords } from './create-records.ts';
import { getAttachment } from './get-attachment.ts';
import { getCapability } from './get-capability.ts';
import { getHealth } from './get-health.ts';
import { getRecord } from './get-record.ts';
import { getSyncStatus } from './get-sync-status.ts';
import { getWorkOrderWrite } from './get-work-order-write.ts';
import { getWrite } from './get-write.ts';
import { listCapabilities } from './list-capabilities.ts';
import { listChanges } from './list-changes.ts';
import { listRecords } from './list-records.ts';
import { listWrites } from './list-writes.ts';
import { notImplemented } from './not-implemented.ts';
import { putWorkOrderStatus } from './put-work-order-status.ts';
import { replaceFiscalCalendarByCode } from './replace-fiscal-calendar-by-code.ts';
import { retryWrite } from './retry-write.ts';
import { runAction } from './run-action.ts';
import { startSync } from './start-sync.ts';
import { verifyWrite } from './verify-write.ts';
import { createRecord, deleteRecord, replaceRecord, updateRecord } from './write-record.ts';

/** Handlers of the operations that do more than the conventions say. */
const own = {
  cancelWrite,
  compensateWrite,
  getAttachment,
  getCapability,
  getHealth,
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
} satisfies OwnHandlers<Context>;

/** One handler per kind of operation answers for all entities that keep the conventions. */
const byKind = {
  list: listRecords,
  get: getRecord,
  create: createRecord,
  createMany: createRecords,
  update: updateRecord,
  replace: replaceRecord,
  delete: deleteRecord,
  action: runAction,
  planned: notImplemented,
} satisfies Record<Exclude<OperationKind, 'other'>, unknown>;

/** The handler of every one of these operations; those of the document by default. */
export function handlersOf(all: readonly Operation[] = operations): Handlers<Context> {
  return { ...conventional(all), ...own } as Handlers<Context>;
}

function conventional(all: readonly Operation[]): Pick<Handlers<Context>, ConventionalId> {
  const entries = all.flatMap(({ id, kind }) => (kind === 'other' ? [] : [[id, byKind[kind]]]));
  return Object.fromEntries(entries);
}
