import { type Scope, sessionOf } from '../access/scope.ts';
import type { Pass } from './raw-rows.ts';

/**
 * Returns the keys of the rows that a finished pass did not see: they were deleted in the connected system. A row that a write
 * saved while the pass ran is not missing.
 */
export async function missingAfterPass(scope: Scope, stream: string, pass: Pass): Promise<string[]> {
  const rows = await sessionOf(scope).runBulk<{ key: string }>(
    `select r.key from unified.raw_rows r
      where r.connection_id = $1 and r.stream = $2 and r."deletedAt" is null and r."savedAt" < $4::timestamptz
        and not exists (
          select from (select unnest(keys) as key from unified.raw_passes
                        where connection_id = $1 and stream = $2 and pass = $3) seen
           where seen.key = r.key)
      order by r.key`,
    [scope.connectionId, stream, pass.id, pass.startedAt],
  );
  return rows.map(({ key }) => key);
}

/** Deletes what passes over a stream have seen, except for `keep`. */
export async function forgetPasses(scope: Scope, stream: string, keep?: Pick<Pass, 'id'>): Promise<void> {
  await sessionOf(scope).runBulk(
    'delete from unified.raw_passes where connection_id = $1 and stream = $2 and pass is distinct from $3::uuid',
    [scope.connectionId, stream, keep?.id ?? null],
  );
}
