import type { SeedRow, SeedTable } from '../../row.ts';

/** Rows of a table of the company. */
export type Rows = (table: string) => readonly SeedRow[];

/** Columns that rows of some tables get from rows of others, by table. */
export type Links = (rows: Rows) => Readonly<Record<string, (row: SeedRow, index: number) => SeedRow>>;

/** The tables with the columns that the links add. Each link sees the columns added by the links before it. */
export function linked(tables: readonly SeedTable[], all: readonly Links[]): SeedTable[] {
  return all.reduce<SeedTable[]>(
    (known, links) => {
      const rowsOf = new Map(known.map(({ table, rows }) => [table, rows]));
      const added = links((table) => found(rowsOf.get(table), table));
      for (const table of Object.keys(added)) found(rowsOf.get(table), table);
      return known.map(({ table, rows }) => {
        const link = added[table];
        return { table, rows: link ? rows.map((row, index) => ({ ...row, ...link(row, index) })) : rows };
      });
    },
    [...tables],
  );
}

/** Rows by their key. If several have the same key, the last one is used. */
export function by(rows: readonly SeedRow[], keyOf: (row: SeedRow) => unknown): ReadonlyMap<string, SeedRow> {
  return new Map(rows.map((row) => [String(keyOf(row)), row]));
}

function found<T>(value: T | undefined, table: string): T {
  if (value === undefined) throw new Error(`The company has no table ${table}`);
  return value;
}
