import { type Field, nearest } from '@unified/contract';
import pg from 'pg';
import { CUSTOM_KINDS, customSql } from '../records/custom/custom-values.ts';
import { columnType, tableOf } from '../tables/derive-table.ts';
import { queryFault } from './query-fault.ts';
import type { QueryTable, QueryTables } from './query-table.ts';
import { quoted, type Value } from './value.ts';

/** What the sources of one statement share. */
export interface Sources {
  readonly tables: QueryTables;
  /** Counts a table that the statement reads, and returns its number. Throws SERVICE_INVALID_QUERY if there are too many. */
  count(table: QueryTable): number;
  /** SQL of the parameter that contains the id of the connection. */
  connection(): string;
}

/** An item of a FROM clause. Its columns are known; the ones that are used are recorded until its SQL is requested. */
export abstract class Source {
  readonly name: string;
  /** The tables that paths such as `vendor.country` lead to, by relation. */
  readonly #related = new Map<string, TableSource>();
  protected readonly shared: Sources;

  constructor(name: string, shared: Sources) {
    this.name = name;
    this.shared = shared;
  }

  /** Names of the columns that `*` stands for, in order. */
  abstract readonly columns: readonly string[];

  /** A column with this name or, if there is only one, with a name that differs only in case. */
  abstract column(name: string): Value | undefined;

  protected abstract ownSql(): string;

  /** The columns that identify its rows; undefined if they are not known. */
  abstract identity(): readonly string[] | undefined;

  /** The table that a relation of this source points to, joined once. Throws SERVICE_INVALID_QUERY. */
  related(relation: string): Source {
    const value = this.column(relation);
    if (value?.kind !== 'relation') {
      throw queryFault(
        `${quoted(relation)} of ${quoted(this.name)} is not a relation, so no path can continue from it.`,
      );
    }
    const known = this.#related.get(value.sql);
    if (known) return known;
    const made = new TableSource(relation, this.#target(relation, value), this.shared, value.sql);
    this.#related.set(value.sql, made);
    return made;
  }

  #target(relation: string, { targets = [] }: Value): QueryTable {
    const found = targets.flatMap((target) => this.shared.tables.ofEntity.get(target) ?? []);
    const [only, ...others] = found;
    if (only && others.length === 0) return only;
    const names = found.map(({ entity }) => entity.table);
    throw queryFault(
      only
        ? `${quoted(relation)} may point to records of ${names.join(', ')}. Join the one that you need: join ${names[0]} on ${names[0]}.id = ${this.name}.${quoted(relation)}.`
        : `The token gives no access to the records that ${quoted(relation)} points to.`,
    );
  }

  /** The item of the FROM clause, with the tables that paths lead to. */
  sql(): string {
    const joins = [...this.#related.values()].map((source) => source.joinSql());
    return joins.length === 0 ? this.ownSql() : `(${this.ownSql()}${joins.join('')})`;
  }
}

/** The records of an entity that are not deleted. */
export class TableSource extends Source {
  readonly #table: QueryTable;
  readonly #pointer: string | undefined;
  readonly #used = new Set<string>();
  readonly #byCase: ReadonlyMap<string, readonly Field[]>;
  readonly #alias: string;
  readonly columns: readonly string[];

  /** `pointer` is the SQL of the relation that points to it, if a path leads to this table. */
  constructor(name: string, table: QueryTable, shared: Sources, pointer?: string) {
    const number = shared.count(table);
    super(name, shared);
    // No name in a statement contains a period, so this one is free.
    this.#alias = quoted(pointer === undefined ? name : `${name}.${number}`);
    this.#table = table;
    this.#pointer = pointer;
    const fields = table.entity.fields.filter((field) => columnType(field) !== undefined && field.kind !== 'custom');
    this.#byCase = Map.groupBy(fields, (field) => field.name.toLowerCase());
    this.columns = fields.map((field) => field.name);
  }

  column(name: string): Value | undefined {
    const found = this.#byCase.get(name.toLowerCase()) ?? [];
    const field = found.find((each) => each.name === name) ?? (found.length === 1 ? found[0] : undefined);
    return field && { sql: this.#use(field.name), kind: kindOf(field), targets: field.targets, name: field.name };
  }

  /** A custom field of the records. Throws SERVICE_INVALID_QUERY if there is none with this name. */
  customField(name: string): Value {
    const { customFields, entity } = this.#table;
    const field = customFields.find((each) => each.name === name);
    if (!field) {
      const near = nearest(
        name,
        customFields.map((each) => each.name),
      );
      const hint = near === undefined ? '' : ` Did you mean ${quoted(near)}?`;
      throw queryFault(`The records of ${entity.table} have no custom field ${quoted(name)}.${hint}`);
    }
    const { value } = customSql[field.type];
    const column = this.#use('customFields');
    const sql = value.replace(/\?|"customFields"/g, (found) => (found === '?' ? pg.escapeLiteral(name) : column));
    return { sql: `(${sql})`, kind: CUSTOM_KINDS[field.type], name };
  }

  identity(): readonly string[] {
    return [this.#use('id')];
  }

  /** Its join to the relation that points to it. */
  joinSql(): string {
    const condition = `${this.#use('id')} = ${this.#pointer}`;
    return ` left join ${this.sql()} on ${condition}`;
  }

  #use(name: string): string {
    this.#used.add(name);
    return `${this.#alias}.${quoted(name)}`;
  }

  protected ownSql(): string {
    const columns = [...this.#used].map(quoted).join(', ');
    const { entity } = this.#table;
    return `(select ${columns} from ${tableOf(entity)} where connection_id = ${this.shared.connection()} and "_deletedAt" is null) as ${this.#alias}`;
  }
}

/** A column has the type of its kind, except for ids, which are text on the wire and UUIDs in the table. */
function kindOf({ name, kind }: Field): Value['kind'] {
  return name === 'id' ? undefined : kind;
}

/** A query in the FROM clause, or a query of the WITH clause. */
export class DerivedSource extends Source {
  readonly #sql: string;
  readonly #values: ReadonlyMap<string, Value>;
  readonly columns: readonly string[];

  /** `sql` is the query in parentheses, or the name of a query in the WITH clause. */
  constructor(name: string, sql: string, columns: readonly NamedValue[], shared: Sources) {
    super(name, shared);
    this.#sql = sql;
    this.columns = columns.map((column) => column.name);
    this.#values = new Map(
      columns.map((column) => [column.name, { ...column, sql: `${quoted(name)}.${quoted(column.name)}` }]),
    );
  }

  column(name: string): Value | undefined {
    const exact = this.#values.get(name);
    if (exact) return exact;
    const found = [...this.#values].filter(([each]) => each.toLowerCase() === name.toLowerCase());
    return found.length === 1 ? found[0]?.[1] : undefined;
  }

  identity(): undefined {
    return undefined;
  }

  protected ownSql(): string {
    return `${this.#sql} as ${quoted(this.name)}`;
  }
}

/** A column of a query. */
export interface NamedValue extends Value {
  readonly name: string;
}
