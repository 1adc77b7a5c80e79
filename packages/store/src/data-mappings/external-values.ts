import { type Scope, sessionOf } from '../access/scope.ts';
import type { ByteBudget } from '../sql/statement.ts';

/** Ids of the records of an entity that have one of these values, according to the shared pairs of its mapping. */
export async function idsByExternalValue(scope: Scope, entity: string, values: readonly string[]): Promise<string[]> {
  const rows = await sessionOf(scope).runBulk<{ readonly serviceId: string }>(
    `select p."serviceId" from unified.data_mappings m
       join unified.data_mapping_pairs p on p.connection_id = m.connection_id and p."mappingId" = m.id
      where m.connection_id = $1 and m.entity = $2 and p."clientId" is null and p."externalValue" = any($3::text[])`,
    [scope.connectionId, entity, values],
  );
  return rows.map(({ serviceId }) => serviceId);
}

/** Values of records of these entities by record id, in order. Records without values, or beyond the budget, are left out. */
export async function externalValuesOf(
  scope: Scope,
  entities: readonly string[],
  ids: readonly string[],
  budget?: ByteBudget,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sessionOf(scope).runBulk<{ readonly serviceId: string; readonly values: readonly string[] }>(
    `select p."serviceId", array_agg(p."externalValue" order by p."externalValue") as values
       from unified.data_mappings m
       join unified.data_mapping_pairs p on p.connection_id = m.connection_id and p."mappingId" = m.id
      where m.connection_id = $1 and m.entity = any($2::text[]) and p."clientId" is null
        and p."serviceId" = any($3::uuid[])
      group by p."serviceId"`,
    [scope.connectionId, entities, ids],
    budget,
  );
  return new Map(rows.map(({ serviceId, values }) => [serviceId, values]));
}
