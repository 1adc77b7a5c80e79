import type { TextForm } from './draft/text-form.ts';
import type { Column } from './driver.ts';
import type { Json } from './json.ts';

/** A table, view or model that the login can read. */
export interface SystemTable {
  /** Name as used in the options of a stream: `Production.UnitMeasure`, `party.party`. */
  readonly name: string;
  /** Name that users of the system know; null if the system has only the technical name. */
  readonly label: string | null;
  readonly kind: 'table' | 'view' | 'model';
  /** Number of rows, if the system reports it without counting; otherwise null. */
  readonly estimatedRows: number | null;
  readonly comment: string | null;
  /** Columns of the primary key, in its order; none for views. */
  readonly primaryKey: readonly string[];
}

/** A column (or field) of a table, view or model. */
export interface SystemColumn extends Column {
  readonly label: string | null;
  /** Whether the column can be null. Always true for columns of views, which have no such constraint. */
  readonly nullable: boolean;
  readonly comment: string | null;
  /** Position in the primary key, counted from 1; null if it is not part of the key. */
  readonly keyPosition: number | null;
  /** How its texts are written, if its values are texts that a sample shows to be numbers or dates in another form. */
  readonly form?: TextForm;
}

/** A list of rows within each row of a table, such as the lines of orders. */
export interface SystemList {
  /** Name of the property that contains the list. */
  readonly name: string;
  /** Tables that contain the same rows; none if they can be read only within the list. */
  readonly tables: readonly string[];
}

/** What to read next from a list. */
export interface CatalogRequest {
  /** Where to continue (`CatalogPage.next`); null at the beginning. */
  readonly from: Json | null;
  /** Number of items requested; at most, and by default, `MOST_IN_PAGE`. */
  readonly limit?: number;
}

export interface CatalogPage<Item> {
  readonly items: readonly Item[];
  /** Where to continue; null if this is the last page. */
  readonly next: Json | null;
}

/** Tables and columns of a system, whether or not a stream reads them: for the people who write mappings. */
export interface SystemCatalog {
  /** Tables that the login can read, by name, without the system's own tables. */
  tables(request: CatalogRequest): Promise<CatalogPage<SystemTable>>;
  /** Columns of a table that the login can read; null if it can read no such table. */
  columns(table: string, request: CatalogRequest): Promise<CatalogPage<SystemColumn> | null>;
  /** The lists within the rows of a table, whether a stream reads them or not. Absent if rows have none. */
  lists?(table: string): Promise<readonly SystemList[]>;
  /** The name as in `SystemTable` of a table that a stream names, such as one without its schema. Absent if there is only one. */
  listedName?(table: string): string;
  /** Options with which a stream reads the table as it is listed. Absent if streams need none. */
  options?(table: string): Promise<Readonly<Record<string, Json>>>;
  /**
   * Options with which a stream reads at least these columns and lists, and finds all changes of their values. Absent if it needs
   * none.
   */
  optionsFor?(table: string, columns: readonly string[]): Promise<Readonly<Record<string, Json>>>;
}

/** Maximum number of tables, or columns of one table, in a page. */
const MOST_IN_PAGE = 2_000;

/** Number of items in the page of a request. */
export function pageSize({ limit = MOST_IN_PAGE }: CatalogRequest): number {
  return Math.min(Math.max(limit, 1), MOST_IN_PAGE);
}

/**
 * The first `size` of the items `found`, as a page. If more were found, `place` of the last item is where the next page
 * begins.
 */
export function pageOf<Item>(found: readonly Item[], size: number, place: (last: Item) => Json): CatalogPage<Item> {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, next: found.length > size && last !== undefined ? place(last) : null };
}
