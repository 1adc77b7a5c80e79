import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { bulkStatement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';

/** Ids of the records of a source, by `_idValue`; absent for those that do not exist. */
export async function idsOfRecords(
  scope: Scope,
  entity: Entity,
  source: string,
  idValues: readonly string[],
): Promise<Map<string, string>> {
  const statement = bulkStatement(
    `select "_idValue", id from ${tableOf(entity)}
      where connection_id = $1 and "_source" = $2 and "_idValue" = any($3::text[])`,
  );
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, source, idValues]);
  return new Map(rows.map(([idValue, id]) => [String(idValue), String(id)]));
}
