import { type Scope, sessionOf } from '../access/scope.ts';
import type { Cardinality } from './data-mappings.ts';

/** A record or value of a mapping with more counterparts than its cardinality allows. */
export interface ConflictExample {
  readonly side: 'serviceId' | 'externalValue';
  readonly value: string;
  /** Number of its counterparts. */
  readonly count: number;
  /** Some of them, in order. */
  readonly counterparts: readonly string[];
}

/** Thrown when pairs violate the cardinality of their mapping. */
export class MappingConflict extends Error {
  override readonly name = 'MappingConflict';
  readonly cardinality: Cardinality;
  /** Number of records and values with too many counterparts. */
  readonly count: number;
  /** The first of these records and values. */
  readonly examples: readonly ConflictExample[];

  constructor(cardinality: Cardinality, count: number, examples: readonly ConflictExample[]) {
    super(`${count} records or values do not fit ${cardinality}.`);
    this.cardinality = cardinality;
    this.count = count;
    this.examples = examples;
  }
}

const MOST_EXAMPLES = 5;
const MOST_COUNTERPARTS = 3;

/** Sides of a pair whose values may occur only once per client. */
const SINGLE: Readonly<Record<Cardinality, readonly ConflictExample['side'][]>> = {
  one_to_one: ['externalValue', 'serviceId'],
  one_to_many: ['externalValue'],
  many_to_many: [],
};

/** Pairs of a mapping: by default those of all clients, otherwise those of this client, or the shared ones if it is null. */
export interface CheckedPairs {
  readonly mappingId: string;
  readonly clientId?: string | null;
}

/** Violations of a cardinality among the pairs of a mapping. Each client has its own set of pairs. */
export async function conflictsWith(
  scope: Scope,
  { mappingId, clientId }: CheckedPairs,
  cardinality: Cardinality,
): Promise<{ readonly count: number; readonly examples: readonly ConflictExample[] }> {
  const sides = SINGLE[cardinality];
  if (sides.length === 0) return { count: 0, examples: [] };
  const isOne = clientId !== undefined;
  const crowded = sides.map((side) => crowdedOn(side, side === 'serviceId' ? 'externalValue' : 'serviceId', isOne));
  const rows = await sessionOf(scope).runBulk<ConflictExample & { readonly total: number }>(
    `select side, value, count, counterparts, count(*) over () as total from (${crowded.join(' union all ')}) crowded
      order by side, value limit ${MOST_EXAMPLES}`,
    [scope.connectionId, mappingId, ...(isOne ? [clientId] : [])],
  );
  return { count: rows[0]?.total ?? 0, examples: rows.map(({ total: _, ...example }) => example) };
}

function crowdedOn(side: ConflictExample['side'], other: ConflictExample['side'], isOne: boolean): string {
  const owner = isOne ? 'and "clientId" is not distinct from $3::uuid' : '';
  return `select '${side}' as side, "${side}"::text as value, count(*) as count,
    (array_agg("${other}"::text order by "${other}"))[1:${MOST_COUNTERPARTS}] as counterparts
    from unified.data_mapping_pairs where connection_id = $1 and "mappingId" = $2 ${owner}
    group by "clientId", "${side}" having count(*) > 1`;
}
