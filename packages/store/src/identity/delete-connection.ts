import type pg from 'pg';
import { type Scope, type ScopeOf, sessionOf } from '../access/scope.ts';
import { inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { removeLoose } from '../contents/store-content.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { eventOf } from './connection-events.ts';
import { connectionById } from './connections.ts';

/**
 * Tables that every transaction of a connection locks first. They are emptied first, so that no transaction adds rows later.
 */
const FIRST = ['unified.change_cursors', 'unified.write_queues', 'unified.loose_contents'];

/**
 * Deletes a connection of an application, its tokens, files, events and every row that belongs to it, in one transaction; files
 * in a bucket are deleted beforehand. Only the event that it was deleted is kept. Returns whether there was one. Call it inside
 * `withoutWorkers`, once the connection is deactivated.
 */
export async function deleteConnection(store: Store, { applicationId, connectionId }: ScopeOf): Promise<boolean> {
  const connection = await connectionById(store, connectionId);
  if (connection?.applicationId !== applicationId) return false;
  await removeFiles(store.scope({ applicationId, connectionId }));
  return inOwnerTransaction(store, async (client) => {
    // Waits for requests that are adding rows. Later ones are refused by the foreign keys on connections.
    const { rowCount } = await client.query(
      'select from unified.connections where id = $1 and "applicationId" = $2 for update',
      [connectionId, applicationId],
    );
    if (rowCount !== 1) return false;
    // A scope has UUIDs only. Unlike a function, this statement also applies to the workers of a distributed database.
    await client.query(`set local app.connection_id to '${connectionId}'`);
    for (const table of ['webhook_deliveries', 'webhook_events'])
      await client.query(`delete from unified.${table} where "connectionId" = $1 and type <> 'connection.deleted'`, [
        connectionId,
      ]);
    const calls = 'delete from unified.system_calls where "applicationId" = $1 and "connectionId" = $2';
    await client.query(calls, [applicationId, connectionId]);
    if (connection.deletedAt === null)
      await emitEvent(storeWithin(store, client), applicationId, eventOf('connection.deleted', connection));
    for (const table of await tablesOf(client))
      await client.query(`delete from ${table} where connection_id = $1`, [connectionId]);
    await client.query('delete from unified.connections where id = $1', [connectionId]);
    return true;
  });
}

/** Every table with rows of connections, read from the catalog, so that none is missed. */
async function tablesOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select format('%I.%I', nspname, relname) as "table"
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid and attname = 'connection_id'
      where nspname in ('unified', 'data') and relkind in ('r', 'p') order by 1`,
  );
  const all = rows.map(({ table }) => table);
  return [...FIRST, ...all.filter((table) => !FIRST.includes(table))];
}

/** Bytes may be stored outside the database. They are removed one by one, so that the call can be repeated after a failure. */
async function removeFiles(scope: Scope): Promise<void> {
  const files = await sessionOf(scope).run<{ contentId: string }>(
    `select "contentId" from unified.contents where connection_id = $1
     union select "contentId" from unified.loose_contents where connection_id = $1`,
    [scope.connectionId],
  );
  for (const { contentId } of files) await removeLoose({ scope, contentId });
}
