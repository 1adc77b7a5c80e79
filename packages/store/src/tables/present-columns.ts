import type pg from 'pg';

/** Types of the columns of one relation by name, in order, spelled as `columnType` does. */
export type PresentColumns = ReadonlyMap<string, string>;

/** Columns of the relations of these kinds (`pg_class.relkind`) in the schema `data`, by quoted name: `data."vendors"`. */
export async function columnsOf(
  client: pg.ClientBase,
  kinds: readonly ('r' | 'p' | 'v')[],
): Promise<ReadonlyMap<string, PresentColumns>> {
  const { rows } = await client.query<{ relation: string; name: string; type: string }>(
    `select c.relname as relation, a.attname as name,
            replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz') as type
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = to_regnamespace('data') and c.relkind = any($1) and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
    [kinds],
  );
  const relations = new Map<string, Map<string, string>>();
  for (const { relation, name, type } of rows) {
    const quoted = `data."${relation}"`;
    const columns = relations.get(quoted) ?? new Map<string, string>();
    relations.set(quoted, columns.set(name, type));
  }
  return relations;
}
