import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { isUuid } from '../../sql/parameter.ts';
import { tableOf } from '../../tables/derive-table.ts';

/** Properties by which the target of a reference is looked up. */
export type LookupProperty = 'id' | '_idValue' | 'code' | '_displayValue';

/** A record as references show it. */
export interface Target {
  readonly entity: string;
  readonly collection: string;
  readonly id: string;
  readonly _source: string;
  readonly _idValue: string;
  readonly code: string;
  readonly _displayValue: string;
}

/**
 * The records that have one of these values, in no particular order. `id` and `_idValue` also find deleted records: a reference
 * that still exists in the connected system keeps its target. With `existing`, they do not. Several records may share a code or
 * a label.
 */
export async function targets(
  scope: Scope,
  entity: Entity,
  by: LookupProperty,
  values: readonly string[],
  { existing = false }: { readonly existing?: boolean } = {},
): Promise<Target[]> {
  const wanted = by === 'id' ? values.filter((value) => isUuid(value)) : values;
  if (wanted.length === 0) return [];
  const type = by === 'id' ? 'uuid[]' : 'text[]';
  const showsDeleted = !existing && (by === 'id' || by === '_idValue');
  const living = showsDeleted ? '' : ' and "_deletedAt" is null';
  const rows = await sessionOf(scope).runBulk<Omit<Target, 'entity' | 'collection'>>(
    `select id, "_source", "_idValue", code, "_displayValue" from ${tableOf(entity)}
      where connection_id = $1 and "${by}" = any($2::${type})${living}`,
    [scope.connectionId, wanted],
  );
  return rows.map((row) => ({ entity: entity.name, collection: entity.collection, ...row }));
}
