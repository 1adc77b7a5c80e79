import type { A_Expr, Node } from 'libpg-query';

/** A name in the FROM of a query. */
export interface Range {
  readonly name: string;
  /** The table, with its schema, if its rows belong to several connections. */
  readonly table?: string;
  /** Whether its rows in this query belong to one connection. */
  isBound: boolean;
}

/** The names that a query can use: its own, then those of the queries around it. */
export interface QueryLevel {
  readonly ranges: Range[];
  readonly around: QueryLevel | undefined;
  /** Queries of WITH, and whether their rows belong to one connection. */
  readonly named: Map<string, boolean>;
}

/** Columns that contain the id of a connection. */
export const CONNECTION_COLUMNS: ReadonlySet<string> = new Set(['connection_id', 'connectionId']);

/** Marks the ranges that equalities limit to one connection, until no more are found. */
export function bindRanges(conditions: readonly Node[], level: QueryLevel): void {
  const equalities = conditions.flatMap((each) => equalitiesOf(each));
  for (let before = -1; before !== boundIn(level); ) {
    before = boundIn(level);
    for (const [left, right] of equalities) {
      bindSide(left, right, level);
      bindSide(right, left, level);
    }
  }
}

function boundIn({ ranges }: QueryLevel): number {
  return ranges.filter(({ isBound }) => isBound).length;
}

function bindSide(side: Node, other: Node, level: QueryLevel): void {
  const range = rangeOfConnection(side, level);
  if (range && isOneConnection(other, level)) range.isBound = true;
}

/** Equalities that hold for each row. Those of rows are taken apart. */
function equalitiesOf(node: Node): readonly (readonly [Node, Node])[] {
  if ('BoolExpr' in node) {
    const { boolop, args = [] } = node.BoolExpr;
    return boolop === 'AND_EXPR' ? args.flatMap((each) => equalitiesOf(each)) : [];
  }
  if (!('A_Expr' in node)) return [];
  const { kind, name, lexpr, rexpr }: A_Expr = node.A_Expr;
  if (kind !== 'AEXPR_OP' || lastName(name) !== '=' || !lexpr || !rexpr) return [];
  const right = itemsOf(rexpr);
  return itemsOf(lexpr).flatMap((each, at) => {
    const other = right[at];
    return other ? [[each, other] as const] : [];
  });
}

function itemsOf(node: Node): readonly Node[] {
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

/** The range of this query whose connection the expression is. */
function rangeOfConnection(node: Node, { ranges }: QueryLevel): Range | undefined {
  const path = columnOf(node);
  if (!path) return undefined;
  const [column = '', name] = path.toReversed();
  const isConnection = CONNECTION_COLUMNS.has(column);
  if (name === undefined) return isConnection ? ranges.find(({ table }) => table !== undefined) : undefined;
  return isConnection ? ranges.find((range) => range.name === name) : undefined;
}

/** Whether an expression is the same connection for all rows of a query. */
export function isOneConnection(node: Node, level: QueryLevel | undefined): boolean {
  const inner = withoutCasts(node);
  if ('ParamRef' in inner || 'A_Const' in inner) return true;
  const path = columnOf(inner);
  if (!path || !level) return false;
  const [column = '', name] = path.toReversed();
  if (!CONNECTION_COLUMNS.has(column)) return false;
  for (let each: QueryLevel | undefined = level; each; each = each.around) {
    const { ranges } = each;
    const range = name === undefined ? ranges[0] : ranges.find((one) => one.name === name);
    if (range) return range.isBound;
  }
  return false;
}

function withoutCasts(node: Node): Node {
  const cast = 'TypeCast' in node ? node.TypeCast.arg : undefined;
  return cast ? withoutCasts(cast) : node;
}

/** The names of a column, such as a table and a column. */
function columnOf(node: Node): readonly string[] | undefined {
  const inner = withoutCasts(node);
  return 'ColumnRef' in inner ? inner.ColumnRef.fields?.map((each) => lastName([each])) : undefined;
}

/** The last part of a name; `*` is empty. */
export function lastName(name: readonly Node[] | undefined): string {
  const last = name?.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}
