import type pg from 'pg';
import { TENANT_ROLE } from '../sql/tenant-role.ts';
import { type View, viewQuery } from '../tables/derive-view.ts';
import { columnsOf, type PresentColumns } from '../tables/present-columns.ts';

/** Drops the views of the schema `data` that are no longer needed: they contain no data, and the service owns all of them. */
export async function dropOtherViews(client: pg.ClientBase, views: readonly View[]): Promise<void> {
  const wanted = new Set(views.map(({ name }) => name));
  for (const name of (await columnsOf(client, ['v'])).keys())
    if (!wanted.has(name)) await client.query(`drop view ${name}`);
}

/**
 * Creates the views. An existing one is replaced, so that statements that read it continue; it is dropped first only if a
 * column is missing or has another type, which PostgreSQL cannot replace. Each view is a separate transaction: a reader locks a
 * view and then its tables, so a transaction that had locked a table and then a view could deadlock with it.
 */
export async function applyViews(client: pg.ClientBase, views: readonly View[]): Promise<void> {
  const present = await columnsOf(client, ['v']);
  for (const view of views) await client.query(viewSql(view, present.get(view.name)));
}

/** `security_invoker`: a tenant sees the rows that it would see in the tables, not those that the owner sees. */
function viewSql(view: View, present: PresentColumns = new Map()): string {
  const wanted = new Map(view.columns.map(({ name, type }) => [name, type]));
  const isReplaceable = [...present].every(([name, type]) => wanted.get(name) === type);
  const names = isReplaceable ? [...new Set([...present.keys(), ...wanted.keys()])] : [...wanted.keys()];
  return `${isReplaceable ? '' : `drop view ${view.name};`}
    create or replace view ${view.name} with (security_invoker = true) as ${viewQuery(view, names)};
    grant select on ${view.name} to ${TENANT_ROLE}`;
}
