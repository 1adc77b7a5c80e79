import { lockHead } from '../records/change-head.ts';
import { type Scope, sessionOf } from '../scope.ts';

/** Notes that rows are gone in the connected system. They stay stored; seen again, they count as changed. */
export async function deleteRawRows(scope: Scope, stream: string, keys: readonly string[]): Promise<void> {
  await scope.transaction(async (inner) => {
    await lockHead(sessionOf(inner), scope.connectionId);
    await sessionOf(inner).runBulk(
      `with outdated as (
         delete from unified.row_problems where connection_id = $1 and stream = $2 and key = any($3::text[])),
       waiting as (
         delete from unified.unresolved_references where connection_id = $1 and source = $2 and "idValue" = any($3::text[]))
       update unified.raw_rows set "deletedAt" = now()
        where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null`,
      [scope.connectionId, stream, keys],
    );
  });
}
