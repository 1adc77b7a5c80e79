import { type Scope, sessionOf } from '../access/scope.ts';
import { type Cardinality, type DataMapping, dataMappingById, lockDataMapping } from './data-mappings.ts';
import { type CheckedPairs, conflictsWith, MappingConflict } from './mapping-conflicts.ts';

/** The id of a record, and its value in the systems of an application. */
export interface MappingPair {
  readonly serviceId: string;
  readonly externalValue: string;
}

/** The pairs of one client, or the shared pairs if no client is given. */
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
/** Maximum number of pairs of all mappings of a connection. */
const MOST_PAIRS = 1_000_000;
/** Maximum number of values of one record in a set of pairs. */
const MOST_VALUES = 100;

/** Thrown when pairs exceed a limit. The message names the limit, for the client that sent the pairs. */
export class TooManyPairs extends Error {
  override readonly name = 'TooManyPairs';
}

/** The result of replacing a set of pairs. */
export interface ReplacedPairs {
  readonly entity: string;
  readonly cardinality: Cardinality;
  /** Number of pairs before. */
  readonly removed: number;
  /** Number of pairs now. */
  readonly added: number;
}

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
 * Replaces a set of pairs, all or nothing; a pair that is repeated counts once. Returns null when the connection has no such
 * mapping. Throws `MappingConflict`, and `TooManyPairs` if the connection would have more than `mostPairs`, or a record too many
 * values.
 */
export function replacePairs(
  scope: Scope,
  set: PairSet,
  pairs: readonly MappingPair[],
  mostPairs = MOST_PAIRS,
): Promise<ReplacedPairs | null> {
  const { mappingId, clientId = null } = set;
  return scope.transaction(async (inner) => {
    await lockPairs(inner);
    const mapping = await lockDataMapping(inner, mappingId);
    if (!mapping) return null;
    const removed = await countOf(
      inner,
      `with gone as (delete from unified.data_mapping_pairs where ${IN_SET} returning 1)
      select count(*) from gone`,
      [mappingId, clientId],
    );
    for (let from = 0; from < pairs.length; from += BATCH)
      await insertPairs(inner, { mappingId, clientId }, pairs.slice(from, from + BATCH));
    await refuseCrowded(inner, mappingId, clientId);
    await refuseExcess(inner, mostPairs);
    await refuseConflicts(inner, { mappingId, clientId }, mapping.cardinality);
    const added = await countOf(inner, `select count(*) from unified.data_mapping_pairs where ${IN_SET}`, [
      ...[mappingId, clientId],
    ]);
    return { entity: mapping.entity, cardinality: mapping.cardinality, removed, added };
  });
}

const IN_SET = `connection_id = $1 and "mappingId" = $2 and "clientId" is not distinct from $3::uuid`;

async function countOf(scope: Scope, text: string, values: readonly (string | null)[]): Promise<number> {
  const [row] = await sessionOf(scope).runBulk<{ readonly count: number }>(text, [scope.connectionId, ...values]);
  return row?.count ?? 0;
}

/** Lets only one transaction at a time add pairs to a connection, so that the limit of all its mappings holds. */
async function lockPairs(scope: Scope): Promise<void> {
  const text = `select pg_advisory_xact_lock(hashtextextended('data mapping pairs ' || $1, 0))`;
  await sessionOf(scope).runBulk(text, [scope.connectionId]);
}

async function insertPairs(
  scope: Scope,
  { mappingId, clientId }: { readonly mappingId: string; readonly clientId: string | null },
  pairs: readonly MappingPair[],
): Promise<void> {
  await sessionOf(scope).runBulk(
    `insert into unified.data_mapping_pairs (connection_id, "mappingId", "clientId", "serviceId", "externalValue")
     select $1, $2, $3, * from unnest($4::uuid[], $5::text[]) on conflict do nothing`,
    [
      ...[scope.connectionId, mappingId, clientId],
      pairs.map(({ serviceId }) => serviceId),
      pairs.map(({ externalValue }) => externalValue),
    ],
  );
}

async function refuseCrowded(scope: Scope, mappingId: string, clientId: string | null): Promise<void> {
  const [crowded] = await sessionOf(scope).runBulk<{ readonly serviceId: string; readonly count: number }>(
    `select "serviceId", count(*) from unified.data_mapping_pairs where ${IN_SET}
      group by "serviceId" having count(*) > ${MOST_VALUES} order by "serviceId" limit 1`,
    [scope.connectionId, mappingId, clientId],
  );
  if (!crowded) return;
  const { serviceId, count } = crowded;
  throw new TooManyPairs(`Record "${serviceId}" has ${count} values. Send at most ${MOST_VALUES} for a record.`);
}

async function refuseExcess(scope: Scope, mostPairs: number): Promise<void> {
  const text = `select count(*) from (
    select from unified.data_mapping_pairs where connection_id = $1 limit ${mostPairs + 1}) pairs`;
  if ((await countOf(scope, text, [])) <= mostPairs) return;
  throw new TooManyPairs(`A connection has at most ${mostPairs} pairs in all its data mappings. Send fewer.`);
}

/**
 * Changes the cardinality. Null when the connection has no such mapping. Throws `MappingConflict` if its pairs violate the new
 * cardinality.
 */
export function setCardinality(scope: Scope, mappingId: string, cardinality: Cardinality): Promise<DataMapping | null> {
  return scope.transaction(async (inner) => {
    if (!(await lockDataMapping(inner, mappingId))) return null;
    await refuseConflicts(inner, { mappingId }, cardinality);
    await sessionOf(inner).run(
      'update unified.data_mappings set cardinality = $3 where connection_id = $1 and id = $2',
      [scope.connectionId, mappingId, cardinality],
    );
    return dataMappingById(inner, mappingId);
  });
}

async function refuseConflicts(scope: Scope, pairs: CheckedPairs, cardinality: Cardinality): Promise<void> {
  const { count, examples } = await conflictsWith(scope, pairs, cardinality);
  if (count > 0) throw new MappingConflict(cardinality, count, examples);
}
