import { createHash } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '../sql/session.ts';
import { internalsOf, type Store } from '../store.ts';
import { applyTables } from './apply-tables.ts';
import { createViews, dropViews } from './apply-views.ts';
import { deriveTable } from './derive-table.ts';
import { deriveViews, storedEntities, viewIndexes } from './derive-view.ts';
import { fillLinks } from './fill-links.ts';
import { LINKS, migrations } from './migrations/index.ts';

/** Any number; the same in every process, so that one migrates while the others wait. */
const LOCK = 7_246_100_512;

/**
 * Brings the database to what this release and its contract need: written migrations first, then the tables, columns and
 * indexes that entities lack, and the views anew. Does nothing, quickly, when that was done before. Several processes may start at once.
 */
export async function migrate(store: Store): Promise<void> {
  const { owner } = internalsOf(store);
  const { entities } = store;
  const tables = storedEntities(entities).map((entity) => deriveTable(entity, viewIndexes(entity, entities)));
  const views = deriveViews(entities);
  const wanted = createHash('sha256')
    .update(JSON.stringify([migrations, tables, views]))
    .digest('hex');
  await withClient(owner, async (client) => {
    if ((await appliedSchema(client)) === wanted) return;
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    try {
      await client.query('begin');
      await dropViews(client);
      const applied = await runMigrations(client);
      await applyTables(client, tables);
      if (applied.includes(LINKS)) await fillLinks(client, storedEntities(entities));
      await createViews(client, views);
      await setting(client, 'schema', wanted);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
    }
  });
}

async function appliedSchema(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query(`select to_regclass('unified.settings') is not null as there`);
  if (!rows[0].there) return null;
  const found = await client.query(`select value from unified.settings where name = 'schema'`);
  return found.rows[0]?.value ?? null;
}

/** Runs the written migrations that are due; gives their names. */
async function runMigrations(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query(`select to_regclass('unified.settings') is not null as there`);
  const stored = rows[0].there
    ? await client.query(`select value from unified.settings where name = 'migrations'`)
    : { rows: [] };
  const done: number = stored.rows[0]?.value ?? 0;
  if (done > migrations.length) {
    throw new Error(
      `The database was migrated by a newer release (${done} migrations; this one has ${migrations.length}).`,
    );
  }
  const due = migrations.slice(done);
  for (const { sql } of due) await client.query(sql);
  await setting(client, 'migrations', migrations.length);
  return due.map(({ name }) => name);
}

async function setting(client: pg.ClientBase, name: string, value: unknown): Promise<void> {
  await client.query(
    `insert into unified.settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [name, JSON.stringify(value)],
  );
}
