import type { Column } from '../driver.ts';
import type { Query } from './database.ts';
import type { Relation } from './relation.ts';

/** A column, with the name of the type that its domain, if it has one, is made of: `timestamptz`, `int8`. */
export interface CatalogColumn extends Column {
  readonly base: string;
}

/** Columns of tables and views, by `Relation.sql`. What does not exist is absent. */
export type Catalog = ReadonlyMap<string, readonly CatalogColumn[]>;

/** Name of the type at the bottom of a chain of domains. */
const BASE = `(WITH RECURSIVE chain AS (SELECT atttypid AS id
    UNION ALL SELECT typbasetype FROM chain JOIN pg_type ON pg_type.oid = id WHERE typtype = 'd')
  SELECT typname FROM chain JOIN pg_type ON pg_type.oid = id WHERE typtype <> 'd')`;

/** Looks up tables and views, whether or not their rows may be read. */
export async function lookUp(query: Query, relations: readonly Relation[]): Promise<Catalog> {
  const rows = await query(
    `SELECT place, attname AS name, format_type(atttypid, atttypmod) AS type, ${BASE} AS base
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
      const columns = byPlace.get(place)?.map(({ name, type, base }) => ({
        name: String(name),
        type: String(type),
        base: String(base),
      }));
      return columns ? [[sql, columns]] : [];
    }),
  );
}

/** As people write it: `Production.UnitMeasure`. */
export function nameOf({ schema, name }: Relation): string {
  return `${schema}.${name}`;
}
