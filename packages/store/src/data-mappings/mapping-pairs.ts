import { type Scope, sessionOf } from '../access/scope.ts';
import { type Cardinality, type DataMapping, dataMappingById, lockDataMapping } from './data-mappings.ts';
import { conflictsWith, MappingConflict } from './mapping-conflicts.ts';

/** The id of a record, and its value in the systems of an application. */
export interface MappingPair {
  readonly serviceId: string;
  readonly externalValue: string;
}

/** Pairs of one client, or without it the shared ones. */
export interface PairSet {
  readonly mappingId: string;
  readonly clientId?: string | undefined;
}

export interface PairQuery extends PairSet {
  /** Only pairs after this one. */
  readonly after?: MappingPair | undefined;
  readonly limit: number;
}

const BATCH = 10_000;

/** Pairs of a mapping in the order of (serviceId, externalValue). */
export function pageOfPairs(scope: Scope, { mappingId, clientId, after, limit }: PairQuery): Promise<MappingPair[]> {
  const owner = clientId === undefined ? '"clientId" is null and $3::uuid is null' : '"clientId" = $3';
  const later = after ? 'and ("serviceId", "externalValue") > ($5::uuid, $6)' : '';
  return sessionOf(scope).run<MappingPair>(
    `select "serviceId", "externalValue" from unified.data_mapping_pairs
      where connection_id = $1 and "mappingId" = $2 and ${owner} ${later}
      order by "serviceId", "externalValue" limit $4`,
    [scope.connectionId, mappingId, clientId ?? null, limit, ...(after ? [after.serviceId, after.externalValue] : [])],
  );
}

/**
 * Replaces a set of pairs, all or nothing; a pair that is repeated counts once. Returns whether the connection has the
 * mapping. Throws `MappingConflict`.
 */
export function replacePairs(scope: Scope, set: PairSet, pairs: readonly MappingPair[]): Promise<boolean> {
  const { mappingId, clientId = null } = set;
  return scope.transaction(async (inner) => {
    const mapping = await lockDataMapping(inner, mappingId);
    if (!mapping) return false;
    const session = sessionOf(inner);
    await session.runBulk(
      `delete from unified.data_mapping_pairs
        where connection_id = $1 and "mappingId" = $2 and "clientId" is not distinct from $3::uuid`,
      [scope.connectionId, mappingId, clientId],
    );
    for (let from = 0; from < pairs.length; from += BATCH) {
      const batch = pairs.slice(from, from + BATCH);
      await session.runBulk(
        `insert into unified.data_mapping_pairs (connection_id, "mappingId", "clientId", "serviceId", "externalValue")
         select $1, $2, $3, * from unnest($4::uuid[], $5::text[]) on conflict do nothing`,
        [
          ...[scope.connectionId, mappingId, clientId],
          batch.map(({ serviceId }) => serviceId),
          batch.map(({ externalValue }) => externalValue),
        ],
      );
    }
    await refuseConflicts(inner, mappingId, mapping.cardinality);
    return true;
  });
}

/** Changes the cardinality. Null when the connection has no such mapping. Throws `MappingConflict` if its pairs do not fit. */
export function setCardinality(scope: Scope, mappingId: string, cardinality: Cardinality): Promise<DataMapping | null> {
  return scope.transaction(async (inner) => {
    if (!(await lockDataMapping(inner, mappingId))) return null;
    await refuseConflicts(inner, mappingId, cardinality);
    await sessionOf(inner).run(
      'update unified.data_mappings set cardinality = $3 where connection_id = $1 and id = $2',
      [scope.connectionId, mappingId, cardinality],
    );
    return dataMappingById(inner, mappingId);
  });
}

async function refuseConflicts(scope: Scope, mappingId: string, cardinality: Cardinality): Promise<void> {
  const { count, examples } = await conflictsWith(scope, mappingId, cardinality);
  if (count > 0) throw new MappingConflict(cardinality, count, examples);
}
