import { type Entity, ServiceError } from '@unified/contract';
import { entityIn, find, type Scope } from '@unified/store';
import type { DataContext } from './context.ts';

/** What handlers look at in a record. */
export interface KnownRecord {
  readonly id: string;
  readonly _deletedAt: string | null;
  readonly statusCategory?: string;
}

/** The entity that an operation concerns. */
export function entityOfOperation({ operation, scope }: Pick<DataContext, 'operation' | 'scope'>): Entity {
  return entityIn(scope, operation.entity ?? '');
}

/** Document text of a record. Throws `SERVICE_NOT_FOUND`, the same for an unknown id and another connection's. */
export async function recordText(scope: Scope, entity: Entity, id: string): Promise<string> {
  const text = await find(scope, entity, id);
  if (text === undefined)
    throw new ServiceError('SERVICE_NOT_FOUND', `This connection has no ${entity.name} with this id.`);
  return text;
}

/** A record that is to be written. Throws `SERVICE_NOT_FOUND`, or `SERVICE_RECORD_DELETED` when it is deleted. */
export async function writableRecord(scope: Scope, entity: Entity, id: string): Promise<KnownRecord> {
  const record: KnownRecord = JSON.parse(await recordText(scope, entity, id));
  if (record._deletedAt !== null) {
    const message = `This ${entity.name} was deleted in the connected system. Stop using it.`;
    throw new ServiceError('SERVICE_RECORD_DELETED', message, { details: [{ id, deletedAt: record._deletedAt }] });
  }
  return record;
}
