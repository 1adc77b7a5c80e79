import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/**
 * Rows of a table that belong to a client, oldest first; `columns` have the prefix `r.`. Null when the application has no such
 * client.
 */
export async function rowsOfClient<Row extends { readonly id: string }>(
  scope: ApplicationScope,
  clientId: string,
  { table, columns }: { readonly table: string; readonly columns: string },
): Promise<Row[] | null> {
  const { rows } = await asOwner<Row | (Row & { readonly id: null })>(
    storeOf(scope),
    `select ${columns} from unified.clients c left join unified.${table} r on r."clientId" = c.id
      where c."applicationId" = $1 and c.id = $2 order by r.id`,
    [scope.applicationId, clientId],
  );
  return rows.length === 0 ? null : rows.filter(({ id }) => id !== null);
}
