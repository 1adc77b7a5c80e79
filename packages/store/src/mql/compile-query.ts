import type { FieldKind } from '@unified/contract';
import type { Node } from 'libpg-query';
import type { Parameter } from '../sql/parameter.ts';
import { parseStatement } from './parse-statement.ts';
import { queryFault } from './query-fault.ts';
import type { QueryTable, QueryTables } from './query-table.ts';
import { type CompiledSelect, compileSelect } from './select.ts';
import { plainSql, quoted } from './value.ts';

/** Maximum number of tables that a statement may read, including those that paths lead to: each one makes planning slower. */
const MOST_TABLES = 16;
/** Maximum number of columns of a result. */
const MOST_COLUMNS = 200;

/** Value of a parameter of a statement. */
export type QueryParameter = Exclude<Parameter, Date>;

export interface QueryInput {
  readonly statement: string;
  /** Values of `$1`, `$2` … in the statement. */
  readonly parameters: ReadonlyMap<number, QueryParameter>;
}

/** A statement for PostgreSQL. */
export interface CompiledQuery {
  /** SQL that returns a part of the result. */
  text(part: { readonly limit: number; readonly offset: number }): string;
  /** Parameter values of the SQL for a connection. */
  values(connectionId: string): readonly Parameter[];
  readonly columns: readonly { readonly name: string; readonly kind: FieldKind | undefined }[];
  /** Names of the entities that it reads, including those that paths lead to. */
  readonly entities: readonly string[];
  /** Maximum number of rows set by the statement itself; undefined if it sets none. */
  readonly limit: number | undefined;
  /** Number of rows that the statement itself skips. */
  readonly offset: number;
}

/** Compiles a statement of MQL. Throws SERVICE_INVALID_QUERY. */
export async function compileQuery({ statement, parameters }: QueryInput, tables: QueryTables): Promise<CompiledQuery> {
  const select = await parseStatement(statement);
  const used = new UsedParameters(parameters);
  const read: string[] = [];
  const count = ({ entity }: QueryTable) => {
    const number = read.push(entity.name);
    if (number > MOST_TABLES) throw queryFault(`A statement reads at most ${MOST_TABLES} tables, paths included.`);
    return number;
  };
  const compiled = compileSelect(
    select,
    {
      ...{ tables, count },
      parameter: (number, location) => used.place(number, location),
      connection: () => used.connection(),
    },
    { named: new Map() },
  );
  const { columns } = compiled;
  const countOf = (node: Node | undefined) => rowCount(node, used);
  if (columns.length > MOST_COLUMNS)
    throw queryFault(`The result has ${columns.length} columns; at most ${MOST_COLUMNS} are allowed.`);
  const [limit, offset] = [countOf(select.limitCount), countOf(select.limitOffset) ?? 0];
  used.checkAll();
  const sql = sqlOf(compiled);
  return {
    text: (part) => `${sql} limit ${part.limit} offset ${part.offset}`,
    values: (connectionId) => used.values(connectionId),
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    ...{ entities: read, limit, offset },
  };
}

/**
 * The statement without LIMIT. Rows that ORDER BY considers equal are ordered by what identifies them, or else by all columns,
 * so that pages neither repeat nor skip rows. Their direction is that of the last item, so that an index can be used.
 */
function sqlOf({ head, columns, isDistinct, body, order, identity, isDescending }: CompiledSelect): string {
  const list = columns.map((column) => `${plainSql(column)} as ${quoted(column.name)}`).join(', ');
  const direction = isDescending ? ' desc' : '';
  const ties = (identity ?? columns.map((_, at) => String(at + 1))).map((tie) => `${tie}${direction}`);
  const items = [...order, ...ties];
  const sorted = items.length > 0 ? ` order by ${items.join(', ')}` : '';
  return `${head}select ${isDistinct ? 'distinct ' : ''}${list}${body}${sorted}`;
}

/** The number of rows in LIMIT or OFFSET: a number or a parameter; undefined for `null` and `all`. */
function rowCount(node: Node | undefined, used: UsedParameters): number | undefined {
  if (!node) return undefined;
  const isConstant = 'A_Const' in node;
  if (isConstant && node.A_Const.isnull) return undefined;
  const number = 'ParamRef' in node ? node.ParamRef.number : undefined;
  const value =
    number !== undefined
      ? used.countOf(number)
      : isConstant && node.A_Const.ival
        ? (node.A_Const.ival.ival ?? 0)
        : null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw queryFault('LIMIT and OFFSET of the statement need a number from 0, or a parameter with one.');
}

/**
 * Represents the id of the connection among the parameters of a compiled statement; numbers represent parameters of the
 * client's statement.
 */
const CONNECTION = 'connection';

/** Parameters of the compiled statement, in the order in which they are first used. PostgreSQL accepts no others. */
class UsedParameters {
  readonly #given: ReadonlyMap<number, QueryParameter>;
  readonly #used: (number | typeof CONNECTION)[] = [];
  /** Parameters used in LIMIT and OFFSET, whose values become part of the SQL. */
  readonly #counts = new Set<number>();

  constructor(given: ReadonlyMap<number, QueryParameter>) {
    this.#given = given;
  }

  connection(): string {
    return `${this.#placeOf(CONNECTION)}::uuid`;
  }

  place(number: number, location: number | undefined): string {
    if (this.#given.has(number)) return this.#placeOf(number);
    throw queryFault(`The parameter $${number} has no value. Add "${number}" to parameters.`, location);
  }

  countOf(number: number): QueryParameter | undefined {
    this.#counts.add(number);
    return this.#given.get(number);
  }

  checkAll(): void {
    const unused = [...this.#given.keys()].find((number) => !this.#used.includes(number) && !this.#counts.has(number));
    if (unused !== undefined) throw queryFault(`The statement does not use the parameter "${unused}". Remove it.`);
  }

  values(connectionId: string): readonly Parameter[] {
    return this.#used.map((each) => (each === CONNECTION ? connectionId : (this.#given.get(each) ?? null)));
  }

  #placeOf(name: number | typeof CONNECTION): string {
    if (!this.#used.includes(name)) this.#used.push(name);
    return `$${this.#used.indexOf(name) + 1}`;
  }
}
