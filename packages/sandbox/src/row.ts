/** A row of the sandbox company by column; columns that are left out keep their default. */
export type SeedRow = Readonly<Record<string, string | number | boolean | null | readonly (SeedRow | string)[]>>;

/** Rows of one table. All rows of a table have the same columns. */
export interface SeedTable {
  readonly table: string;
  readonly rows: readonly SeedRow[];
}

/** Rows of one table as JSON for PostgreSQL, and their columns. */
export interface EncodedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly json: string;
}
