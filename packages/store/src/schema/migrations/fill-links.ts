import type { Entity } from '@unified/contract';
import type pg from 'pg';
import { linkName, listFields, tableOf } from '../../tables/derive-table.ts';
import { columnsOf } from '../../tables/present-columns.ts';

/** Stores the references in the list fields of all existing records. */
export async function fillLinks(client: pg.ClientBase, entities: readonly Entity[]): Promise<void> {
  const present = await columnsOf(client, ['r', 'p']);
  for (const entity of entities) {
    const table = tableOf(entity);
    for (const field of listFields(entity).filter(({ name }) => present.get(table)?.has(name))) {
      // Row-level security applies to the owner as well, and hides every row when no connection is set.
      await client.query(`alter table ${table} no force row level security`);
      await client.query(
        `insert into unified.links (connection_id, field, target, id)
         select distinct connection_id, $1, target, id from ${table}, unnest("${field.name}") target`,
        [linkName(entity.name, field)],
      );
      await client.query(`alter table ${table} force row level security`);
    }
  }
}
