import { SystemError } from '../../system-error.ts';
import type { Catalog, CatalogColumn, CursorKind, Query, Relation, Right, SqlCatalog } from '../dialect/sql-dialect.ts';
import { columns, tables } from './listing.ts';
import { mysqlScalar } from './mysql-scalar.ts';
import { spell } from './spelling.ts';

/** Kinds of cursors, by the name of the column's type. */
const kinds: Readonly<Partial<Record<string, CursorKind>>> = {
  ...{ timestamp: 'instant', datetime: 'local', date: 'day' },
  ...{ smallint: 'number', mediumint: 'number', int: 'number', bigint: 'number', decimal: 'number' },
};

export const catalog: SqlCatalog = {
  lookUp,
  tables,
  columns,
  // `SYSTEM` is the zone of the server's machine, which the server can convert without a table of zones.
  async zone(query) {
    const [row] = await query('SELECT @@global.time_zone AS zone, @@system_time_zone AS machine');
    if (row?.zone !== 'SYSTEM') return String(row?.zone);
    return row?.machine === 'UTC' ? 'UTC' : 'SYSTEM';
  },
  async checkZones(query, zones) {
    for (const zone of zones) {
      const [row] = await query("SELECT CONVERT_TZ('2024-01-01', $1, '+00:00') AS at", [zone]);
      if ((row?.at ?? null) === null) throw new SystemError('rejected', unknownZone(zone));
    }
  },
  isUnique,
  async missingRights(query, relation, rights) {
    const missing: Right[] = [];
    for (const right of rights) if (!(await mayChange(query, relation, right))) missing.push(right);
    return missing;
  },
  sequenceRefusal: async (_, sequence) => `there is no sequence ${sequence.name}: the dialect has none`,
  async checkFunction(_, { name }) {
    throw new SystemError('rejected', `${name} cannot be called: the dialect has no functions`);
  },
  plan: async (query, text, values) => void (await query(`EXPLAIN ${text}`, values)),
  async nextOf(_, { name }) {
    throw new SystemError('rejected', `There is no sequence ${name}: the dialect has none`);
  },
  async afterHighest(_, table) {
    throw new SystemError('rejected', `No number can be generated for ${table}: the dialect has no highest numbers`);
  },
};

function unknownZone(zone: string): string {
  return (
    `The server cannot convert times of the zone ${zone}. Load its table of time zones (mysql_tzinfo_to_sql), or set the ` +
    'option `timezone` to the zone of the values'
  );
}

async function lookUp(query: Query, relations: readonly Relation[]): Promise<Catalog> {
  const wanted = relations.map((_, index) => `($${2 * index + 1}, $${2 * index + 2})`);
  if (wanted.length === 0) return new Map();
  const rows = await query(
    `SELECT table_schema AS owner, table_name AS relation, column_name AS name, column_type AS type, data_type AS base,
       is_nullable AS nullable, extra AS extra
     FROM information_schema.columns WHERE (table_schema, table_name) IN (${wanted.join(', ')}) ORDER BY ordinal_position`,
    relations.flatMap(({ schema, name }) => [schema, name]),
  );
  const found = Map.groupBy(
    rows,
    ({ owner, relation }) => `${spell.quote(String(owner))}.${spell.quote(String(relation))}`,
  );
  return new Map(
    relations.flatMap(({ sql }) => {
      const columns = found.get(sql)?.map(catalogColumn);
      return columns ? [[sql, columns] as const] : [];
    }),
  );
}

/** `type` is a `COLUMN_TYPE`, `base` its name without parameters. */
export function catalogColumn({ name, type, base, nullable, extra }: Readonly<Record<string, unknown>>): CatalogColumn {
  const scalar = mysqlScalar(String(type));
  return {
    name: String(name),
    type: String(type),
    kind: kinds[String(base)] ?? null,
    // The server removes the padding itself.
    isPadded: false,
    ...(scalar && { scalar }),
    ...(/blob|binary/.test(String(base)) && { isNotFoundByText: true as const }),
    ...(/^(?:float\b|decimal\b|(?:datetime|timestamp|time)(?:\([0-5]\))?$)/.test(String(type)) && {
      isRounded: true as const,
    }),
    ...(/\bauto_increment\b/i.test(String(extra)) && { isNumbered: true as const }),
    ...(nullable === 'NO' && { isRequired: true as const }),
    ...(/\b(VIRTUAL|STORED|PERSISTENT) GENERATED\b|\bGENERATED ALWAYS\b/i.test(String(extra)) && {
      isReadOnly: true as const,
    }),
  };
}

/** Whether a primary key or a unique index has no columns but these, all of them NOT NULL. */
async function isUnique(query: Query, { schema, name }: Relation, columns: readonly string[]): Promise<boolean> {
  const among = columns.map((_, index) => `$${index + 3}`).join(', ');
  const rows = await query(
    `SELECT index_name AS name FROM information_schema.statistics
     WHERE table_schema = $1 AND table_name = $2 AND non_unique = 0
     GROUP BY index_name HAVING SUM(nullable <> '' OR column_name IS NULL OR column_name NOT IN (${among})) = 0 LIMIT 1`,
    [schema, name, ...columns],
  );
  return rows.length > 0;
}

/** Planning a statement requires the same rights as running it, including rights from roles. */
async function mayChange(query: Query, relation: Relation, right: Right): Promise<boolean> {
  const { sql } = relation;
  const [column] = (await lookUp(query, [relation])).get(sql) ?? [];
  const name = spell.quote(column?.name ?? '');
  const statements: Readonly<Record<Right, string>> = {
    INSERT: `INSERT INTO ${sql} () VALUES ()`,
    UPDATE: `UPDATE ${sql} SET ${name} = ${name} WHERE 1 = 0`,
    DELETE: `DELETE FROM ${sql} WHERE 1 = 0`,
  };
  try {
    await query(`EXPLAIN ${statements[right]}`);
    return true;
  } catch (error) {
    if (error instanceof SystemError && error.kind === 'forbidden') return false;
    throw error;
  }
}
