import type { SeedRow, SeedTable } from '../../row.ts';

/** Rows of a table of the company. */
export type Rows = (table: string) => readonly SeedRow[];

/** What the rows of some tables are told of those of others: the columns that a row gets, by table. */
export type Links = (rows: Rows) => Readonly<Record<string, (row: SeedRow, index: number) => SeedRow>>;

/** The tables with what their rows are told of others. Links see what those before them have told. */
export function linked(tables: readonly SeedTable[], all: readonly Links[]): SeedTable[] {
  return all.reduce<SeedTable[]>(
    (known, links) => {
      const rowsOf = new Map(known.map(({ table, rows }) => [table, rows]));
      const told = links((table) => found(rowsOf.get(table), table));
      for (const table of Object.keys(told)) found(rowsOf.get(table), table);
      return known.map(({ table, rows }) => {
        const link = told[table];
        return { table, rows: link ? rows.map((row, index) => ({ ...row, ...link(row, index) })) : rows };
      });
    },
    [...tables],
  );
}

/** Rows by what identifies them; of several with the same the last. */
export function by(rows: readonly SeedRow[], keyOf: (row: SeedRow) => unknown): ReadonlyMap<string, SeedRow> {
  return new Map(rows.map((row) => [String(keyOf(row)), row]));
}

function found<T>(value: T | undefined, table: string): T {
  if (value === undefined) throw new Error(`The company has no table ${table}`);
  return value;
}
