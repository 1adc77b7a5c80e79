import type { ListedColumn, ListedTable, Query, Relation } from '../dialect/sql-dialect.ts';

/** Schemas of the server itself. */
const OWN = `('information_schema', 'mysql', 'performance_schema', 'sys')`;

/** Columns of the primary key of table `t`, as JSON in the order of the key. */
const KEY = `(SELECT CONCAT('[', GROUP_CONCAT(JSON_QUOTE(column_name) ORDER BY seq_in_index SEPARATOR ','), ']')
    FROM information_schema.statistics AS s
    WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = 'PRIMARY')`;

/** What the first foreign key of column `c` alone refers to, as JSON. */
const REFERRED = `(SELECT JSON_OBJECT('schema', k.referenced_table_schema, 'table', k.referenced_table_name,
      'column', k.referenced_column_name)
    FROM information_schema.key_column_usage AS k
    WHERE k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
      AND k.referenced_table_name IS NOT NULL AND 1 = (SELECT COUNT(*) FROM information_schema.key_column_usage AS p
        WHERE p.constraint_schema = k.constraint_schema AND p.constraint_name = k.constraint_name AND p.table_name = k.table_name)
    ORDER BY k.constraint_name LIMIT 1)`;

/** Tables and views that the login can read: see `SqlCatalog.tables`. */
export async function tables(
  query: Query,
  after: Pick<Relation, 'schema' | 'name'> | null,
  limit: number,
): Promise<ListedTable[]> {
  const rows = await query(
    `SELECT table_schema AS owner, table_name AS name, table_type AS type, CAST(table_rows AS CHAR) AS estimate,
       table_comment AS comment, ${KEY} AS primary_key
     FROM information_schema.tables AS t
     WHERE table_schema NOT IN ${OWN} AND ($1 IS NULL OR BINARY table_schema > $1
       OR (BINARY table_schema = $1 AND BINARY table_name > $2))
     ORDER BY BINARY table_schema, BINARY table_name LIMIT ${Math.trunc(limit)}`,
    [after?.schema ?? null, after?.name ?? null],
  );
  return rows.map(({ owner, name, type, estimate, comment, primary_key: key }) => ({
    schema: String(owner),
    name: String(name),
    kind: type === 'VIEW' ? 'view' : 'table',
    estimatedRows: type === 'VIEW' || estimate === null ? null : Number(estimate),
    // The comment of a view is always `VIEW`.
    comment: type === 'VIEW' ? null : textOrNull(comment),
    primaryKey: typeof key === 'string' ? (JSON.parse(key) as string[]) : [],
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
    `SELECT CAST(ordinal_position AS CHAR) AS place, column_name AS name, column_type AS type, is_nullable AS nullable,
       column_comment AS comment,
       (SELECT CAST(seq_in_index AS CHAR) FROM information_schema.statistics AS s WHERE s.table_schema = c.table_schema
        AND s.table_name = c.table_name AND s.index_name = 'PRIMARY' AND s.column_name = c.column_name) AS key_position,
       ${REFERRED} AS referred
     FROM information_schema.columns AS c
     WHERE table_schema = $1 AND table_name = $2 AND ordinal_position > $3
     ORDER BY c.ordinal_position LIMIT ${Math.trunc(limit)}`,
    [schema, name, after],
  );
  return rows.map((row) => ({
    place: Number(row.place),
    name: String(row.name),
    type: String(row.type),
    nullable: row.nullable === 'YES',
    comment: textOrNull(row.comment),
    keyPosition: row.key_position === null ? null : Number(row.key_position),
    refersTo: referredOf(row.referred),
  }));
}

/** Some servers mark the result of JSON functions, which is decoded then; others send text. */
function referredOf(value: unknown): ListedColumn['refersTo'] {
  return (typeof value === 'string' ? JSON.parse(value) : value) as ListedColumn['refersTo'];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
