import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../access/scope.ts';

/** How many values a record may have, and how many records a value may have. In `one_to_many`, a record has many values. */
export type Cardinality = 'one_to_one' | 'one_to_many' | 'many_to_many';

/** A mapping between the records of one entity and values of an application. */
export interface DataMapping {
  readonly id: string;
  readonly entity: string;
  readonly cardinality: Cardinality;
  /** Number of its pairs, of all clients together. */
  readonly pairs: number;
  readonly createdAt: string;
}

const COLUMNS = `m.id, m.entity, m.cardinality, m."createdAt",
  (select count(*) from unified.data_mapping_pairs p where p.connection_id = m.connection_id and p."mappingId" = m.id) as pairs`;

/** The mappings of a connection, oldest first. */
export function listDataMappings(scope: Scope): Promise<DataMapping[]> {
  return sessionOf(scope).run<DataMapping>(
    `select ${COLUMNS} from unified.data_mappings m where m.connection_id = $1 order by m.id`,
    [scope.connectionId],
  );
}

/** One mapping, or null when the connection has no such mapping. */
export async function dataMappingById(scope: Scope, id: string): Promise<DataMapping | null> {
  const [found] = await sessionOf(scope).run<DataMapping>(
    `select ${COLUMNS} from unified.data_mappings m where m.connection_id = $1 and m.id = $2`,
    [scope.connectionId, id],
  );
  return found ?? null;
}

/** Whether the connection has a mapping. Unlike `dataMappingById`, does not count its pairs. */
export async function hasDataMapping(scope: Scope, id: string): Promise<boolean> {
  const [found] = await sessionOf(scope).run<{ readonly found: boolean }>(
    'select exists (select from unified.data_mappings where connection_id = $1 and id = $2) as found',
    [scope.connectionId, id],
  );
  return found?.found ?? false;
}

/** Starts a mapping without pairs. Null when the entity has one already. */
export async function addDataMapping(
  scope: Scope,
  { entity, cardinality }: Pick<DataMapping, 'entity' | 'cardinality'>,
): Promise<DataMapping | null> {
  const [made] = await sessionOf(scope).run<DataMapping>(
    `insert into unified.data_mappings as m (connection_id, id, entity, cardinality) values ($1, $2, $3, $4)
     on conflict (connection_id, entity) do nothing returning ${COLUMNS}`,
    [scope.connectionId, newId(), entity, cardinality],
  );
  return made ?? null;
}

/** Removes a mapping with its pairs. Returns whether the connection had it. */
export function removeDataMapping(scope: Scope, id: string): Promise<boolean> {
  return scope.transaction(async (inner) => {
    const values = [scope.connectionId, id];
    const removed = await sessionOf(inner).run(
      'delete from unified.data_mappings where connection_id = $1 and id = $2 returning id',
      values,
    );
    await sessionOf(inner).run(
      'delete from unified.data_mapping_pairs where connection_id = $1 and "mappingId" = $2',
      values,
    );
    return removed.length > 0;
  });
}

/**
 * Locks a mapping until the end of the transaction, so that its pairs and cardinality change one at a time. Null when the
 * connection has no such mapping.
 */
export async function lockDataMapping(
  scope: Scope,
  id: string,
): Promise<Pick<DataMapping, 'id' | 'entity' | 'cardinality'> | null> {
  const [found] = await sessionOf(scope).run<Pick<DataMapping, 'id' | 'entity' | 'cardinality'>>(
    'select id, entity, cardinality from unified.data_mappings where connection_id = $1 and id = $2 for update',
    [scope.connectionId, id],
  );
  return found ?? null;
}
