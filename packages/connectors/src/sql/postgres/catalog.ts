import type { Row } from '../../driver.ts';
import type { Catalog, CatalogColumn, CursorKind, Query, Relation, Right, SqlCatalog } from '../dialect/sql-dialect.ts';
import { columns, tables } from './listing.ts';
import { postgresScalar } from './postgres-scalar.ts';

/** Kinds of cursors, by the name of the column's type. */
const kinds: Readonly<Record<string, CursorKind>> = {
  ...{ timestamptz: 'instant', timestamp: 'local', date: 'day' },
  ...{ int2: 'number', int4: 'number', int8: 'number', numeric: 'number', xid8: 'number' },
};

export const catalog: SqlCatalog = {
  lookUp,
  tables,
  columns,
  zone,
  isUnique,
  // A privilege on some columns is enough for INSERT and UPDATE.
  async missingRights(query, { sql }, rights) {
    const [row] = await query(
      `SELECT has_any_column_privilege($1, 'INSERT') AS "INSERT", has_any_column_privilege($1, 'UPDATE') AS "UPDATE",
              has_table_privilege($1, 'DELETE') AS "DELETE"`,
      [sql],
    );
    return rights.filter((right: Right) => row?.[right] !== true);
  },
  async sequenceRefusal(query, { schema, name, sql }) {
    const [row] = await query(`SELECT has_sequence_privilege($1, 'USAGE, UPDATE') AS "isUsable"`, [sql]);
    return row?.isUsable ? null : `permission denied for sequence ${schema}.${name}`;
  },
  async checkFunction(query, { sql }, use) {
    await query(`SELECT ${sql}(${use === 'act' ? 'NULL::text, NULL::jsonb' : ''}) WHERE false`);
  },
  plan: async (query, text, values) => void (await query(`EXPLAIN ${text}`, values)),
  async nextOf(query, { sql }) {
    const [row] = await query('SELECT nextval($1::regclass)::text AS number', [sql]);
    return String(row?.number);
  },
  async afterHighest(query, table, column, prefix) {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${table}.${column}`]);
    const [row] = await query(
      `SELECT (coalesce(max(substr(${column}::text, length($1) + 1)::numeric), 0) + 1)::text AS number FROM ${table}
       WHERE starts_with(${column}::text, $1) AND substr(${column}::text, length($1) + 1) ~ '^[0-9]{1,18} *$'`,
      [prefix],
    );
    return String(row?.number);
  },
};

/** Name of the type at the bottom of a chain of domains. */
const BASE = `(WITH RECURSIVE chain AS (SELECT atttypid AS id
    UNION ALL SELECT typbasetype FROM chain JOIN pg_type ON pg_type.oid = id WHERE typtype = 'd')
  SELECT typname FROM chain JOIN pg_type ON pg_type.oid = id WHERE typtype <> 'd')`;

async function lookUp(query: Query, relations: readonly Relation[]): Promise<Catalog> {
  const rows = await query(
    `SELECT place, attname AS name, format_type(atttypid, atttypmod) AS type, ${BASE} AS base,
            attnotnull AS required, attgenerated <> '' OR attidentity = 'a' AS computed
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(schema, relation, place)
     JOIN pg_namespace ON nspname = wanted.schema
     JOIN pg_class ON relnamespace = pg_namespace.oid AND relname = wanted.relation AND relkind IN ('r', 'p', 'v', 'm', 'f')
     JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     ORDER BY place, attnum`,
    [relations.map(({ schema }) => schema), relations.map(({ name }) => name)],
  );
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1);
  return new Map(
    relations.flatMap(({ sql }, place) => {
      const columns = byPlace.get(place)?.map(catalogColumn);
      return columns ? [[sql, columns]] : [];
    }),
  );
}

/** `type` is as `format_type` spells it, `base` the name of the type below all domains. */
export function catalogColumn({ name, type, base, required, computed }: Row): CatalogColumn {
  const scalar = postgresScalar(String(type));
  return {
    name: String(name),
    type: String(type),
    kind: kinds[String(base)] ?? null,
    isPadded: base === 'bpchar',
    ...(scalar && { scalar }),
    ...(required === true && { isRequired: true as const }),
    ...(computed === true && { isReadOnly: true as const }),
  };
}

/**
 * The zone that an ordinary client of the database works in: that of the database, or else of the server. A zone set for our own
 * login is ignored if the database has one.
 */
async function zone(query: Query): Promise<string> {
  const [row] = await query(
    `SELECT coalesce(
       (SELECT split_part(setting, '=', 2) FROM pg_db_role_setting, unnest(setconfig) AS setting
        WHERE setrole = 0 AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
          AND lower(split_part(setting, '=', 1)) = 'timezone' ORDER BY setdatabase DESC LIMIT 1),
       (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone')) AS zone`,
  );
  return String(row?.zone ?? 'UTC');
}

/** Whether a primary key or a unique index has no columns but these, all of them NOT NULL. */
async function isUnique(query: Query, { sql }: Relation, columns: readonly string[]): Promise<boolean> {
  const rows = await query(
    `SELECT FROM pg_index
     WHERE indrelid = $1::regclass AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
       AND NOT EXISTS (
         SELECT FROM unnest(indkey::smallint[]) WITH ORDINALITY AS part(number, place)
         JOIN pg_attribute ON attrelid = indrelid AND attnum = part.number
         WHERE place <= indnkeyatts AND NOT (attnotnull AND attname = ANY ($2::text[])))
     LIMIT 1`,
    [sql, columns],
  );
  return rows.length > 0;
}
