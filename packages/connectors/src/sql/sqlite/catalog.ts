import { type ScalarType, scalar } from '../../scalar-type.ts';
import { SystemError } from '../../system-error.ts';
import type { CatalogColumn, Query, Relation, SqlCatalog } from '../dialect/sql-dialect.ts';
import { spell } from './spelling.ts';

const KEY = `(SELECT json_group_array(c.name ORDER BY c.pk) FROM pragma_table_xinfo(t.name) AS c WHERE c.pk > 0)`;

/**
 * What the first foreign key of column `c` alone refers to, as JSON. A foreign key without a column refers to the primary key.
 */
const REFERRED = `(SELECT json_object('schema', 'main', 'table', f."table", 'column', coalesce(f."to",
      (SELECT p.name FROM pragma_table_info(f."table") AS p WHERE p.pk = 1)))
    FROM pragma_foreign_key_list($1) AS f
    WHERE f."from" = c.name COLLATE NOCASE AND NOT EXISTS (
      SELECT 1 FROM pragma_foreign_key_list($1) AS other WHERE other.id = f.id AND other.seq > 0)
    ORDER BY f.id LIMIT 1)`;

export const catalog: SqlCatalog = {
  async lookUp(query, relations) {
    const found = await Promise.all(relations.map(async (each) => [each.sql, await columnsOf(query, each)] as const));
    return new Map(found.filter(([, columns]) => columns.length > 0));
  },
  async tables(query, after, limit) {
    const rows = await query(
      `SELECT name, type, ${KEY} AS "key" FROM sqlite_schema AS t
       WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND ($1 IS NULL OR name > $1)
       ORDER BY name LIMIT ${Math.trunc(limit)}`,
      [after?.name ?? null],
    );
    return rows.map(({ name, type, key }) => ({
      ...{
        schema: 'main',
        name: String(name),
        kind: type === 'view' ? 'view' : 'table',
        estimatedRows: null,
        comment: null,
      },
      primaryKey: JSON.parse(String(key)) as string[],
    }));
  },
  async columns(query, { name }, after, limit) {
    const rows = await query(
      `SELECT cid + 1 AS place, name, type, "notnull" AS required, pk, ${REFERRED} AS referred
       FROM pragma_table_xinfo($1) AS c
       WHERE hidden <> 1 AND place > $2 ORDER BY place LIMIT ${Math.trunc(limit)}`,
      [name, after],
    );
    return rows.map(({ place, name, type, required, pk, referred }) => ({
      ...{ place: Number(place), name: String(name), type: String(type), nullable: Number(required) === 0 },
      ...{ comment: null, keyPosition: Number(pk) > 0 ? Number(pk) : null },
      refersTo: typeof referred === 'string' ? JSON.parse(referred) : null,
    }));
  },
  zone: async () => 'UTC',
  isUnique,
  // The rights of the file apply, which show when it is written.
  missingRights: async () => [],
  sequenceRefusal: async (_, { name }) => `there is no sequence ${name}`,
  checkFunction: (_, { name }) => lacked(`${name} cannot be called`),
  plan: async (query, text, values) => void (await query(`EXPLAIN QUERY PLAN ${text}`, values)),
  nextOf: (_, { name }) => lacked(`There is no sequence ${name}`),
  async afterHighest(query, table, column, prefix) {
    const digits = `substr(${asText(column)}, length($1) + 1)`;
    const [row] = await query(
      `SELECT CAST(coalesce(max(CAST(${digits} AS INTEGER)), 0) + 1 AS TEXT) AS number FROM ${table}
       WHERE substr(${asText(column)}, 1, length($1)) = $1 AND length(${digits}) BETWEEN 1 AND 18 AND ${digits} NOT GLOB '*[^0-9]*'`,
      [prefix],
    );
    return String(row?.number);
  },
};

const { asText } = spell;

async function lacked(words: string): Promise<never> {
  throw new SystemError('rejected', words);
}

/** Columns of a table or view; none if it does not exist. */
export async function columnsOf(
  query: Query,
  { schema, name }: Pick<Relation, 'schema' | 'name'>,
): Promise<CatalogColumn[]> {
  const rows = await query(
    `SELECT name, type, "notnull" AS required, hidden FROM pragma_table_xinfo($1, $2) WHERE hidden <> 1 ORDER BY cid`,
    [name, schema],
  );
  return rows.map(({ name, type, required, hidden }) => {
    const scalar = sqliteScalar(String(type));
    return {
      ...{ name: String(name), type: String(type), isPadded: false },
      // The texts of dates have no fixed form, so only numbers can be cursors.
      kind: isWhole(String(type)) ? 'number' : null,
      ...(scalar && { scalar }),
      ...(hasNoAffinity(String(type)) && { isNotFoundByText: true as const }),
      ...(Number(required) === 1 && { isRequired: true as const }),
      ...(Number(hidden) > 1 && { isReadOnly: true as const }),
    };
  });
}

function isWhole(type: string): boolean {
  return /INT/i.test(type);
}

/** Whether a text is compared with the values without conversion, in which case every number is less than the text. */
function hasNoAffinity(type: string): boolean {
  return type === '' || (/BLOB/i.test(type) && !/INT|CHAR|CLOB|TEXT/i.test(type));
}

/** The scalar type by the affinity of the declared type, which most values of the column have. */
function sqliteScalar(type: string): ScalarType | undefined {
  if (isWhole(type)) return { type: 'number', limits: { decimals: 0 } };
  if (/CHAR|CLOB|TEXT|DATE|TIME/i.test(type)) return scalar('string');
  if (/BLOB/i.test(type) || type === '') return undefined;
  return scalar('number');
}

/** Whether the primary key or a unique index has no columns but these, all of them NOT NULL. */
async function isUnique(query: Query, { name }: Relation, columns: readonly string[]): Promise<boolean> {
  const rows = await query(
    `SELECT '' AS "index", name, "notnull" OR upper(type) = 'INTEGER' AS required FROM pragma_table_xinfo($1) WHERE pk > 0
     UNION ALL SELECT l.name, i.name, coalesce(c."notnull", 0) FROM pragma_index_list($1) AS l
     JOIN pragma_index_info(l.name) AS i LEFT JOIN pragma_table_xinfo($1) AS c ON c.name = i.name
     WHERE l."unique" = 1 AND l.partial = 0`,
    [name],
  );
  const indexes = Map.groupBy(rows, (row) => row.index);
  return [...indexes.values()].some((parts) =>
    parts.every(({ name, required }) => Number(required) === 1 && columns.includes(String(name))),
  );
}
