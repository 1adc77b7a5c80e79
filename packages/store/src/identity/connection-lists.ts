import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction } from '../access/store.ts';

/** Lists of names that an application keeps for each of its connections. */
export type ConnectionList = 'forms' | 'solutions' | 'flowFolders';

/** The names in a list, in the order in which they were set. Null when the application has no such connection. */
export function connectionList(
  scope: ApplicationScope,
  connectionId: string,
  list: ConnectionList,
): Promise<readonly string[] | null> {
  return namesIn(scope, connectionId, { list, lock: '' });
}

/** The same, locked until the end of the transaction. */
export function lockConnectionList(
  scope: ApplicationScope,
  connectionId: string,
  list: ConnectionList,
): Promise<readonly string[] | null> {
  return namesIn(scope, connectionId, { list, lock: 'for no key update' });
}

async function namesIn(
  scope: ApplicationScope,
  connectionId: string,
  { list, lock }: { readonly list: ConnectionList; readonly lock: string },
): Promise<readonly string[] | null> {
  const { rows } = await asOwner<{ names: readonly string[] }>(
    storeOf(scope),
    `select "${list}" as names from unified.connections
      where "applicationId" = $1 and id = $2 and "deletedAt" is null ${lock}`,
    [scope.applicationId, connectionId],
  );
  return rows[0]?.names ?? null;
}

/** Replaces the names in a list. Returns whether the application has the connection. */
export async function setConnectionList(
  scope: ApplicationScope,
  connectionId: string,
  { list, names }: { readonly list: Exclude<ConnectionList, 'forms'>; readonly names: readonly string[] },
): Promise<boolean> {
  const { rowCount } = await asOwner(
    storeOf(scope),
    `update unified.connections set "${list}" = $3
      where "applicationId" = $1 and id = $2 and "deletedAt" is null`,
    [scope.applicationId, connectionId, names],
  );
  return rowCount === 1;
}

/**
 * Replaces the forms of a connection. Returns the names of forms that do not exist, in which case nothing is changed;
 * `undefined` if there is no such connection.
 */
export async function setConnectionForms(
  scope: ApplicationScope,
  connectionId: string,
  names: readonly string[],
): Promise<readonly string[] | undefined> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    // Locked, so that no form is deleted before the connection refers to it.
    const { rows } = await client.query<{ id: string }>(
      'select id from unified.settings_forms where "applicationId" = $1 and id = any($2) for share',
      [scope.applicationId, names],
    );
    const known = new Set(rows.map(({ id }) => id));
    const missing = names.filter((name) => !known.has(name));
    const { rowCount } = await client.query(
      `update unified.connections set forms = case when $4 then $3 else forms end
        where "applicationId" = $1 and id = $2 and "deletedAt" is null`,
      [scope.applicationId, connectionId, names, missing.length === 0],
    );
    return rowCount === 1 ? missing : undefined;
  });
}
