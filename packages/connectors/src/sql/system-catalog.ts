import { pageOf, pageSize, type SystemCatalog, type SystemColumn } from '../system-catalog.ts';
import type { ListedColumn, Query, Relation, SqlDialect } from './dialect/sql-dialect.ts';
import { relationOf, textOf } from './relation.ts';

function systemColumn({ place: _, refersTo, ...column }: ListedColumn): SystemColumn {
  if (!refersTo) return { ...column, label: null };
  const { schema, table, column: referred } = refersTo;
  return { ...column, label: null, refersTo: { table: textOf({ schema, name: table }), column: referred } };
}

/** Tables and views of all schemas, and their columns; `schema` is the schema of tables that do not name one. */
export function systemCatalog({ spell, catalog }: SqlDialect, query: Query, schema: string): SystemCatalog {
  return {
    async tables(request) {
      const size = pageSize(request);
      const after = request.from as Pick<Relation, 'schema' | 'name'> | null;
      const found = await catalog.tables(query, after, size + 1);
      const { items, next } = pageOf(found, size, (last) => ({ schema: last.schema, name: last.name }));
      return {
        next,
        items: items.map(({ schema, ...table }) => ({
          ...table,
          name: textOf({ schema, name: table.name }),
          label: null,
        })),
      };
    },
    async columns(table, request) {
      const size = pageSize(request);
      const relation = relationOf({ spell }, table, schema);
      const found = await catalog.columns(query, relation, Number(request.from ?? 0), size + 1);
      if (found.length === 0) return null;
      const { items, next } = pageOf(found, size, ({ place }) => place);
      return { next, items: items.map(systemColumn) };
    },
    listedName: (table) => textOf(relationOf({ spell }, table, schema)),
  };
}
