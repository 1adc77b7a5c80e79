import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** The first of these ids that belongs to no connection of the application, or to a deleted one; undefined if there is none. */
export async function unknownConnection(scope: ApplicationScope, ids: readonly string[]): Promise<string | undefined> {
  const { rows } = await asOwner<{ id: string }>(
    storeOf(scope),
    `select id from unnest($2::uuid[]) given(id) where not exists (
       select from unified.connections connection
        where connection.id = given.id and "applicationId" = $1 and "deletedAt" is null) limit 1`,
    [scope.applicationId, ids],
  );
  return rows[0]?.id;
}
