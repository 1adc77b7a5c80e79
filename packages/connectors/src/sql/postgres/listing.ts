import type { ListedColumn, ListedTable, Query, Relation } from '../dialect/sql-dialect.ts';

/** Columns of the primary key of table `c`, as JSON in the order of the key. */
const KEY = `coalesce((SELECT json_agg(attname ORDER BY place)
    FROM pg_index, unnest(indkey::smallint[]) WITH ORDINALITY AS part(number, place)
    JOIN pg_attribute ON attnum = part.number
    WHERE indrelid = c.oid AND attrelid = c.oid AND indisprimary AND place <= indnkeyatts), '[]')`;

/** What the first foreign key of column `attnum` of table `c` refers to, as JSON. */
const REFERRED = `(SELECT json_build_object('schema', fn.nspname, 'table', fc.relname, 'column', fa.attname)
    FROM pg_constraint JOIN pg_class AS fc ON fc.oid = confrelid JOIN pg_namespace AS fn ON fn.oid = fc.relnamespace
    JOIN pg_attribute AS fa ON fa.attrelid = confrelid AND fa.attnum = confkey[1]
    WHERE contype = 'f' AND conrelid = c.oid AND conkey = ARRAY[pg_attribute.attnum] ORDER BY conname LIMIT 1)`;

/** Autovacuum estimates the rows of partitions, but never those of the partitioned table. */
const ROWS = `CASE relkind WHEN 'v' THEN NULL
    WHEN 'p' THEN (SELECT CASE WHEN bool_and(leaf.reltuples >= 0) THEN sum(leaf.reltuples::float8) END
      FROM pg_partition_tree(c.oid) JOIN pg_class AS leaf ON leaf.oid = relid WHERE isleaf)
    ELSE nullif(reltuples::float8, -1) END`;

/** Tables and views that the login can read: see `SqlCatalog.tables`. */
export async function tables(
  query: Query,
  after: Pick<Relation, 'schema' | 'name'> | null,
  limit: number,
): Promise<ListedTable[]> {
  const rows = await query(
    `SELECT nspname AS schema, relname AS name, relkind IN ('v', 'm') AS "isView", ${ROWS} AS rows, ${KEY} AS key,
       obj_description(c.oid, 'pg_class') AS comment
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
     WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
       AND nspname <> 'information_schema' AND nspname !~ '^pg_'
       AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
       AND ($1::text IS NULL OR (nspname COLLATE "C", relname COLLATE "C") > ($1, $2))
     ORDER BY nspname COLLATE "C", relname COLLATE "C" LIMIT $3`,
    [after?.schema ?? null, after?.name ?? null, limit],
  );
  return rows.map(({ schema, name, isView, rows: estimate, key, comment }) => ({
    schema: String(schema),
    name: String(name),
    kind: isView === true ? 'view' : 'table',
    estimatedRows: estimate === null ? null : Number(estimate),
    comment: textOrNull(comment),
    primaryKey: Array.isArray(key) ? key.map(String) : [],
  }));
}

/** Columns of a table or view that the login can read: see `SqlCatalog.columns`. */
export async function columns(
  query: Query,
  { schema, name }: Relation,
  after: number,
  limit: number,
): Promise<ListedColumn[]> {
  const rows = await query(
    `SELECT attnum AS place, attname AS name, format_type(atttypid, atttypmod) AS type,
       NOT (attnotnull OR typnotnull) AS nullable, col_description(c.oid, attnum) AS comment,
       (SELECT place FROM pg_index, unnest(indkey::smallint[]) WITH ORDINALITY AS part(number, place)
        WHERE indrelid = c.oid AND indisprimary AND place <= indnkeyatts AND number = attnum) AS "keyPosition",
       ${REFERRED} AS referred
     FROM pg_namespace AS n
     JOIN pg_class AS c ON relnamespace = n.oid AND relkind IN ('r', 'p', 'v', 'm', 'f')
     JOIN pg_attribute ON attrelid = c.oid AND attnum > $3 AND NOT attisdropped
     JOIN pg_type ON pg_type.oid = atttypid
     WHERE nspname = $1 AND relname = $2 AND has_schema_privilege(n.oid, 'USAGE')
       AND has_column_privilege(c.oid, attnum, 'SELECT')
     ORDER BY attnum LIMIT $4`,
    [schema, name, after, limit],
  );
  return rows.map((row) => ({
    place: Number(row.place),
    name: String(row.name),
    type: String(row.type),
    nullable: row.nullable === true,
    comment: textOrNull(row.comment),
    keyPosition: row.keyPosition === null ? null : Number(row.keyPosition),
    refersTo: row.referred as ListedColumn['refersTo'],
  }));
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
