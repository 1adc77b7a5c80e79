import { nearest } from '@unified/contract';
import type { CommonTableExpr, JoinExpr, Node, RangeSubselect, RangeVar, ResTarget, SelectStmt } from 'libpg-query';
import { isAggregateCall, nameOfCall, sortOf, sortSql } from './call.ts';
import { pathOf, valueOfNode } from './expression.ts';
import type { ExpressionContext } from './expression-context.ts';
import { queryFault } from './query-fault.ts';
import { QueryScope } from './query-scope.ts';
import { DerivedSource, type NamedValue, type Sources, TableSource } from './query-source.ts';
import { quoted, type Value } from './value.ts';

/** What the queries of one statement share. */
export interface QueryContext extends Sources {
  parameter: ExpressionContext['parameter'];
}

/** Columns of the queries in a WITH clause, by name. */
type Named = ReadonlyMap<string, readonly NamedValue[]>;

/** The context of a query: the scope of the queries around it, and the queries that it may name. */
interface Surroundings {
  readonly outer?: QueryScope | undefined;
  readonly named: Named;
}

/** The parts of a compiled query. The whole statement and the queries within it combine them differently. */
export interface CompiledSelect {
  /** `with …`, empty or followed by a space. */
  readonly head: string;
  readonly columns: readonly NamedValue[];
  readonly isDistinct: boolean;
  /** From FROM to HAVING, each part preceded by a space. */
  readonly body: string;
  /** Items of ORDER BY. */
  readonly order: readonly string[];
  readonly isDescending: boolean;
  /** What identifies a row, to order rows that ORDER BY considers equal; undefined if only all of its columns together do. */
  readonly identity: readonly string[] | undefined;
  readonly context: ExpressionContext;
}

/** Compiles a SELECT. Throws SERVICE_INVALID_QUERY. */
export function compileSelect(select: SelectStmt, shared: QueryContext, around: Surroundings): CompiledSelect {
  const { head, named } = withClause(select.withClause?.ctes ?? [], shared, around.named);
  const scope = new QueryScope(around.outer);
  const context = expressionContext(scope, shared, named);
  // Sources first, since expressions refer to them. Their SQL last, since expressions determine which columns are read.
  const items = (select.fromClause ?? []).map((node) => fromItem(node, context, { shared, named }));
  const columns = (select.targetList ?? []).flatMap((node, at) => targetColumns(node, at, context));
  const output: Output = { columns, context };
  const where = select.whereClause && context.value(select.whereClause).sql;
  const groups = (select.groupClause ?? []).map((node) => groupSql(node, output));
  const having = select.havingClause && context.value(select.havingClause).sql;
  const isDistinct = distinct(select);
  const sorts = (select.sortClause ?? []).map(sortOf);
  const order = sorts.map((sort) => sortSql(sort, (node) => sortKey(node, output, isDistinct)));
  const isPlain = !isDistinct && groups.length === 0 && !hasAggregates(select);
  const identity = isPlain ? identityOf(scope) : undefined;
  const from = items.map((item) => item()).join(', ');
  const body = [
    from && ` from ${from}`,
    where && ` where ${where}`,
    groups.length > 0 && ` group by ${groups.join(', ')}`,
    having && ` having ${having}`,
  ];
  return {
    ...{ head, columns, isDistinct, order, identity, context },
    isDescending: sorts.at(-1)?.sortby_dir === 'SORTBY_DESC',
    body: body.filter(Boolean).join(''),
  };
}

/** SQL of a query within another one. */
function nestedSql(select: SelectStmt, shared: QueryContext, around: Surroundings) {
  const { head, columns, isDistinct, body, order, context } = compileSelect(select, shared, around);
  const list = columns.map(({ sql, name }) => `${sql} as ${quoted(name)}`).join(', ');
  const sorted = order.length > 0 ? ` order by ${order.join(', ')}` : '';
  const limits = [
    select.limitCount ? ` limit ${context.value(select.limitCount).sql}` : '',
    select.limitOffset ? ` offset ${context.value(select.limitOffset).sql}` : '',
  ];
  return { sql: `${head}select ${isDistinct ? 'distinct ' : ''}${list}${body}${sorted}${limits.join('')}`, columns };
}

function expressionContext(scope: QueryScope, shared: QueryContext, named: Named): ExpressionContext {
  const context: ExpressionContext = {
    scope,
    value: (node) => valueOfNode(node, context),
    parameter: (number, location) => shared.parameter(number, location),
    query: (select) => nestedSql(select, shared, { outer: scope, named }),
  };
  return context;
}

/** Each query may refer to those before it. */
function withClause(nodes: readonly Node[], shared: QueryContext, outer: Named) {
  const named = new Map(outer);
  const parts = nodes.map((node) => {
    if (!('CommonTableExpr' in node)) throw queryFault('MQL does not support this WITH clause.');
    const { ctename: name = '', ctequery, location }: CommonTableExpr = node.CommonTableExpr;
    if (!ctequery || !('SelectStmt' in ctequery)) throw queryFault('A query in WITH must be a SELECT.', location);
    const { sql, columns } = nestedSql(ctequery.SelectStmt, shared, { named });
    named.set(name, columns);
    return `${quoted(name)} as (${sql})`;
  });
  return { head: parts.length > 0 ? `with ${parts.join(', ')} ` : '', named };
}

interface FromContext {
  readonly shared: QueryContext;
  readonly named: Named;
}

/** Adds an item of FROM to the scope; returns a function that produces its SQL once all expressions are compiled. */
function fromItem(node: Node, context: ExpressionContext, from: FromContext): () => string {
  if ('RangeVar' in node) return tableItem(node.RangeVar, context, from);
  if ('RangeSubselect' in node) return subqueryItem(node.RangeSubselect, context, from);
  if ('JoinExpr' in node) return joinItem(node.JoinExpr, context, from);
  throw queryFault('MQL does not support this item in FROM.');
}

function tableItem(
  { relname = '', alias, location }: RangeVar,
  { scope }: ExpressionContext,
  { shared, named }: FromContext,
) {
  const name = alias?.aliasname ?? relname;
  const columns = named.get(relname);
  const source = columns
    ? new DerivedSource(name, quoted(relname), columns, shared)
    : new TableSource(name, tableNamed(relname, shared, location), shared);
  scope.add(source, location);
  return () => source.sql();
}

function tableNamed(name: string, { tables }: QueryContext, location: number | undefined) {
  const table = tables.named.get(name);
  if (table) return table;
  const near = nearest(name, [...tables.named.keys()]);
  const hint =
    near === undefined ? 'Tables are named like the addresses of lists, with _ for -.' : `Did you mean ${near}?`;
  throw queryFault(`There is no table ${JSON.stringify(name)}, or the token gives no access to it. ${hint}`, location);
}

function subqueryItem(
  { subquery, alias }: RangeSubselect,
  { scope }: ExpressionContext,
  { shared, named }: FromContext,
) {
  if (!subquery || !('SelectStmt' in subquery)) throw queryFault('A subquery in FROM must be a SELECT.');
  const name = alias?.aliasname;
  if (name === undefined) throw queryFault('A subquery in FROM needs a name: from (select …) as name.');
  const { sql, columns } = nestedSql(subquery.SelectStmt, shared, { named });
  const source = new DerivedSource(name, `(${sql})`, columns, shared);
  scope.add(source, undefined);
  return () => source.sql();
}

const JOINS: Readonly<Record<string, string>> = {
  JOIN_INNER: 'join',
  JOIN_LEFT: 'left join',
  JOIN_RIGHT: 'right join',
  JOIN_FULL: 'full join',
};

function joinItem(
  { jointype, larg, rarg, quals }: JoinExpr,
  context: ExpressionContext,
  from: FromContext,
): () => string {
  const word = JOINS[jointype ?? ''];
  if (!larg || !rarg || word === undefined) throw queryFault('MQL does not support this join.');
  const [left, right] = [fromItem(larg, context, from), fromItem(rarg, context, from)];
  const condition = quals ? context.value(quals).sql : 'true';
  return () => `(${left()} ${word} ${right()} on ${condition})`;
}

/** The columns that an item of the SELECT list stands for. */
function targetColumns(node: Node, at: number, context: ExpressionContext): NamedValue[] {
  if (!('ResTarget' in node)) throw queryFault('MQL does not support this item of the SELECT list.');
  const { name, val }: ResTarget = node.ResTarget;
  if (val && 'ColumnRef' in val && pathOf(val.ColumnRef) === undefined) return everyColumn(val, context);
  const value = context.value(val);
  return [{ ...value, name: name ?? value.name ?? nameOf(val, at) }];
}

/** `*` or `orders.*`. */
function everyColumn(node: Extract<Node, { ColumnRef: unknown }>, { scope }: ExpressionContext): NamedValue[] {
  const { fields = [], location } = node.ColumnRef;
  const [first] = fields;
  const name = first && 'String' in first ? first.String.sval : undefined;
  const sources = [...scope.sources.values()].filter((source) => name === undefined || source.name === name);
  if (fields.length > 2 || sources.length === 0)
    throw queryFault('`*` must follow a table of FROM, or nothing.', location);
  return sources.flatMap((source) =>
    source.columns.flatMap((column) => {
      const value = source.column(column);
      return value ? [{ ...value, name: column }] : [];
    }),
  );
}

/** The name of a column that has no alias and is not a field: the name of the function. */
function nameOf(node: Node | undefined, at: number): string {
  if (node && 'FuncCall' in node) return nameOfCall(node.FuncCall);
  if (node && 'TypeCast' in node) return nameOf(node.TypeCast.arg, at);
  return `column${at + 1}`;
}

/** The columns of a query, which GROUP BY and ORDER BY may refer to. */
interface Output {
  readonly columns: readonly NamedValue[];
  readonly context: ExpressionContext;
}

interface OutputColumn {
  readonly number: number;
  readonly value: Value;
}

/** A constant would mean something else there, so its column is referred to by number. */
function sqlOf({ number, value }: OutputColumn): string {
  return value.isConstant ? String(number) : value.sql;
}

/** The column that `2` or `total` refers to, and its number. */
function outputColumn(node: Node, { columns }: Output): OutputColumn | undefined {
  if ('A_Const' in node && node.A_Const.ival) {
    const number = node.A_Const.ival.ival ?? 0;
    const value = columns[number - 1];
    if (!value) throw queryFault(`There is no column ${number} in the SELECT list.`, node.A_Const.location);
    return { number, value };
  }
  const path = 'ColumnRef' in node ? pathOf(node.ColumnRef) : undefined;
  if (path?.length !== 1) return undefined;
  const at = columns.findIndex(({ name }) => name === path[0]);
  const value = columns[at];
  return value && { number: at + 1, value };
}

const SETS: Readonly<Record<string, string>> = {
  GROUPING_SET_ROLLUP: 'rollup',
  GROUPING_SET_CUBE: 'cube',
  GROUPING_SET_SETS: 'grouping sets',
};

/** In GROUP BY, as in PostgreSQL, a name refers to a field first, then to a column of the result. */
function groupSql(node: Node, output: Output): string {
  if ('GroupingSet' in node) {
    const { kind, content = [], location } = node.GroupingSet;
    if (kind === 'GROUPING_SET_EMPTY') return '()';
    const word = SETS[kind ?? ''];
    if (word === undefined) throw queryFault('MQL does not support this GROUP BY.', location);
    return `${word} (${content.map((each) => groupSql(each, output)).join(', ')})`;
  }
  const path = 'ColumnRef' in node ? pathOf(node.ColumnRef) : undefined;
  const isField = path?.length === 1 && output.context.scope.hasColumn(path[0] ?? '');
  const column = isField ? undefined : outputColumn(node, output);
  return column ? sqlOf(column) : output.context.value(node).sql;
}

/**
 * In ORDER BY, a name refers to a column of the result first. Its expression is repeated, so that an index can provide the
 * order.
 */
function sortKey(node: Node, output: Output, isDistinct: boolean): string {
  const column = outputColumn(node, output);
  if (column) return isDistinct ? String(column.number) : sqlOf(column);
  return output.context.value(node).sql;
}

function distinct({ distinctClause }: SelectStmt): boolean {
  if (!distinctClause) return false;
  if (distinctClause.some((node) => Object.keys(node).length > 0))
    throw queryFault('MQL does not support DISTINCT ON.');
  return true;
}

/** The columns that identify a row of a query without groups. */
function identityOf(scope: QueryScope): readonly string[] | undefined {
  const parts = [...scope.sources.values()].map((source) => source.identity());
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Whether aggregates in the SELECT list or HAVING turn all rows into one group. */
function hasAggregates({ targetList = [], havingClause }: SelectStmt): boolean {
  return havingClause !== undefined || targetList.some(containsAggregate);
}

function containsAggregate(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(containsAggregate);
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([name, value]) => {
    if (name === 'SubLink') return false;
    return (name === 'FuncCall' && isAggregateCall(value)) || containsAggregate(value);
  });
}
