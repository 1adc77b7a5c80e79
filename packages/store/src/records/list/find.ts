import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { isUuid } from '../../sql/parameter.ts';
import { type ByteBudget, fixedStatement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';

/** A record as JSON, even if it is deleted (`_deletedAt` is set); undefined when the connection has none with this id. */
export async function find(scope: Scope, entity: Entity, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const statement = fixedStatement(`select doc from ${tableOf(entity)} where connection_id = $1 and id = $2`);
  const [row] = await sessionOf(scope).texts(statement, [scope.connectionId, id]);
  return row?.[0] ?? undefined;
}

/**
 * Records as JSON by id, for expansion. Ids that the connection does not have are left out, as are records that exceed the
 * budget.
 */
export async function documents(
  scope: Scope,
  entity: Entity,
  ids: readonly string[],
  budget?: ByteBudget,
): Promise<Map<string, string>> {
  const known = ids.filter((id) => isUuid(id));
  if (known.length === 0) return new Map();
  const statement = fixedStatement(
    `select id, doc from ${tableOf(entity)} where connection_id = $1 and id = any($2::uuid[])`,
  );
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, known], budget);
  return new Map(rows.map(([id, doc]) => [String(id), String(doc)]));
}
