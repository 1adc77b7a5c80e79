import { hash } from 'node:crypto';
import pg from 'pg';
import { requireCurrent } from '../access/current-position.ts';
import { internalsOf, type Store } from '../access/store.ts';
import { keepDistributed } from '../distribution/place-tables.ts';
import { withConnection } from '../sql/own-connection.ts';
import { FORMS } from '../sql/pools.ts';
import { MIGRATING, takeSessionLock } from '../sql/session-lock.ts';
import { QUERY_ROLE } from '../sql/tenant-role.ts';
import { withClient } from '../sql/with-client.ts';
import { deriveTable } from '../tables/derive-table.ts';
import { deriveViews, storedEntities, viewIndexes } from '../tables/derive-view.ts';
import { applyPolicies } from './apply-policies.ts';
import { applyTables } from './apply-tables.ts';
import { applyViews, dropOtherViews } from './apply-views.ts';
import { buildIndexes } from './build-indexes.ts';
import { type MigrationContext, migrations } from './migrations/index.ts';

/** SQLSTATE of a missing privilege. */
const NOT_ALLOWED = '42501';

/**
 * Updates the database to this release and its contract: written migrations first, in one transaction, then the tables, columns
 * and views that entities lack, and last the indexes. From the second step on, other processes may read and write at the same
 * time. An interrupted migration is completed by the next process. Returns quickly if there is nothing to do. Several processes
 * may start at the same time: one migrates, the others wait. Throws when the database was migrated by a newer release.
 */
export async function migrate(store: Store): Promise<void> {
  await update(store);
  // Statements of this release may need columns that a replica has not replayed yet.
  await requireCurrent(store);
}

async function update(store: Store): Promise<void> {
  const { entities } = store;
  const tables = storedEntities(entities).map((entity) => deriveTable(entity, viewIndexes(entity, entities)));
  const views = deriveViews(entities);
  const wanted = hash('sha256', JSON.stringify([migrations, tables, views, GRANTS]));
  const { owner, databaseUrl, key } = internalsOf(store);
  const isDone = async (client: pg.ClientBase) => (await settingOf(client, 'schema')) === wanted;
  if (await withClient(owner, isDone)) return;
  const work = async (client: pg.Client) => {
    await client.query(FORMS);
    await takeSessionLock(client, MIGRATING, 'exclusive');
    try {
      if (await isDone(client)) return;
      await runMigrations(client, { entities, key });
      await dropOtherViews(client, views);
      await applyTables(client, tables);
      await applyPolicies(client);
      await keepDistributed(client);
      await applyViews(client, views);
      await client.query(GRANTS);
      await buildIndexes(client, tables);
      await keepSetting(client, 'schema', wanted);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === NOT_ALLOWED) throw await remedy(client, error);
      throw error;
    }
  };
  // It may take long: the clients of the pool are left to others.
  await withConnection(databaseUrl, work, { name: 'unified migration' });
}

/** What queries of API clients may read: the records of entities. */
const GRANTS = `grant usage on schema data to ${QUERY_ROLE}; grant select on all tables in schema data to ${QUERY_ROLE}`;

/** Whether the database has the written migrations of this release, and no others. Throws SERVICE_UNAVAILABLE. */
export async function isMigrated(store: Store): Promise<boolean> {
  return withClient(
    internalsOf(store).owner,
    async (client) => Number((await settingOf(client, 'migrations')) ?? 0) === migrations.length,
  );
}

/** Runs the written migrations that are due, all or none of them. */
async function runMigrations(client: pg.ClientBase, context: MigrationContext): Promise<void> {
  const done = Number((await settingOf(client, 'migrations')) ?? 0);
  if (done > migrations.length) {
    throw new Error(
      `The database was migrated by a newer release (${done} migrations; this one has ${migrations.length}). Start that one.`,
    );
  }
  if (done === migrations.length) return;
  await client.query('begin');
  try {
    // In a distributed database, a table may be changed more than once. Otherwise, the setting has no effect.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    for (const { sql, fill } of migrations.slice(done)) {
      await client.query(sql);
      await fill?.(client, context);
    }
    await keepSetting(client, 'migrations', migrations.length);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Returns the value of a setting; undefined if it, or the whole table, does not exist yet. Throws in the schema of another
 * program.
 */
async function settingOf(client: pg.ClientBase, name: string): Promise<unknown> {
  const { rows } = await client.query(
    `select exists (select from pg_class where relnamespace = to_regnamespace('unified')) as used,
            (select count(*) = 2 from pg_attribute
              where attrelid = to_regclass('unified.settings') and attname in ('name', 'value')) as ours`,
  );
  if (!rows[0].used) return undefined;
  if (!rows[0].ours) {
    throw new Error('The schema "unified" of this database belongs to another program. Use another database.');
  }
  const found = await client.query('select value from unified.settings where name = $1', [name]);
  return found.rows[0]?.value;
}

/** An error with the SQL that allows the user to create the schemas and tables. */
async function remedy(client: pg.ClientBase, cause: pg.DatabaseError): Promise<Error> {
  const { rows } = await client.query(
    `select quote_ident(current_user) as "user", quote_ident(current_database()) as database`,
  );
  const { user, database } = rows[0];
  return new Error(
    `${cause.message}. The user ${user} creates the tables. Run once, as the owner of the database:\n` +
      `  GRANT CREATE ON DATABASE ${database} TO ${user};`,
    { cause },
  );
}

async function keepSetting(client: pg.ClientBase, name: string, value: unknown): Promise<void> {
  await client.query(
    `insert into unified.settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [name, JSON.stringify(value)],
  );
}
