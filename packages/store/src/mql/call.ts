import { nearest } from '@unified/contract';
import type { FuncCall, Node, SortBy, WindowDef } from 'libpg-query';
import type { ExpressionContext } from './expression-context.ts';
import { functions, keywordFunctions, type QueryFunction } from './functions.ts';
import { queryFault } from './query-fault.ts';
import type { Value } from './value.ts';

/** SQL of a call. Throws SERVICE_INVALID_QUERY if MQL does not have the function, or if it cannot be called this way. */
export function callValue(call: FuncCall, context: ExpressionContext): Value {
  const { called, name } = functionOf(call);
  const args = (call.args ?? []).map(context.value);
  const isAggregate = called.kind === 'aggregate';
  if (call.agg_star && name !== 'count') throw queryFault(`${name}(*) does not exist; count(*) does.`, call.location);
  if ((call.agg_distinct || call.agg_filter) && !isAggregate) {
    throw queryFault(`${name} is not an aggregate, so it has neither DISTINCT nor FILTER.`, call.location);
  }
  if (called.kind === 'window' && !call.over) throw queryFault(`${name} needs OVER.`, call.location);
  if (called.kind === 'scalar' && call.over) throw queryFault(`${name} cannot be used with OVER.`, call.location);
  const plain = call.agg_star ? 'pg_catalog.count(*)' : called.sql(args, call.agg_distinct ? 'distinct ' : '');
  const filter = call.agg_filter ? ` filter (where ${context.value(call.agg_filter).sql})` : '';
  const over = call.over ? ` over (${windowSql(call.over, context)})` : '';
  return { sql: `${plain}${filter}${over}`, kind: called.result(args), targets: args[0]?.targets };
}

/** The name of a function as it is called, without its schema. */
export function nameOfCall({ funcname = [] }: FuncCall): string {
  const last = funcname.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}

/** Whether a call is an aggregate that turns the rows of its query into groups. */
export function isAggregateCall(call: FuncCall): boolean {
  return functions.get(nameOfCall(call))?.kind === 'aggregate' && !call.over;
}

function functionOf(call: FuncCall): { readonly called: QueryFunction; readonly name: string } {
  const name = nameOfCall(call);
  const isKeyword = call.funcname?.length === 2;
  const called = (isKeyword ? keywordFunctions : functions).get(name);
  const [schema] = call.funcname ?? [];
  const isOfPostgres = schema !== undefined && 'String' in schema && schema.String.sval === 'pg_catalog';
  if (called && (!isKeyword || isOfPostgres)) return { called, name };
  const near = nearest(name, [...functions.keys()]);
  const hint = near === undefined || near === name ? '' : ` Did you mean ${near}?`;
  throw queryFault(`MQL does not have the function ${name}.${hint}`, call.location);
}

/** Bits of `frameOptions` in PostgreSQL's parser (parsenodes.h). */
const FRAME = {
  ...{ given: 0x1, rows: 0x4, groups: 0x8, between: 0x10, startUnbounded: 0x20, endUnbounded: 0x100 },
  ...{ startCurrent: 0x200, endCurrent: 0x400, startPreceding: 0x800, endPreceding: 0x1000 },
  ...{ startFollowing: 0x2000, endFollowing: 0x4000, excludes: 0x38000 },
};

function windowSql({ partitionClause, orderClause, ...frame }: WindowDef, context: ExpressionContext): string {
  const partition = (partitionClause ?? []).map(context.value).map(({ sql }) => sql);
  const order = (orderClause ?? []).map((each) => sortSql(sortOf(each), (node) => context.value(node).sql));
  return [
    partition.length > 0 ? `partition by ${partition.join(', ')}` : '',
    order.length > 0 ? `order by ${order.join(', ')}` : '',
    frameSql(frame, context),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function frameSql(
  { frameOptions: bits = 0, startOffset, endOffset, location }: WindowDef,
  context: ExpressionContext,
): string {
  if (!(bits & FRAME.given)) return '';
  if (bits & FRAME.excludes) throw queryFault('MQL does not support EXCLUDE in windows.', location);
  const mode = bits & FRAME.rows ? 'rows' : bits & FRAME.groups ? 'groups' : 'range';
  const offset = (node: Node | undefined) => context.value(node).sql;
  const start =
    bits & FRAME.startUnbounded
      ? 'unbounded preceding'
      : bits & FRAME.startCurrent
        ? 'current row'
        : `${offset(startOffset)} ${bits & FRAME.startPreceding ? 'preceding' : 'following'}`;
  if (!(bits & FRAME.between)) return `${mode} ${start}`;
  const end =
    bits & FRAME.endUnbounded
      ? 'unbounded following'
      : bits & FRAME.endCurrent
        ? 'current row'
        : `${offset(endOffset)} ${bits & FRAME.endPreceding ? 'preceding' : 'following'}`;
  return `${mode} between ${start} and ${end}`;
}

/** The content of a sort node. */
export function sortOf(node: Node): SortBy {
  if ('SortBy' in node) return node.SortBy;
  throw queryFault('MQL does not support this order.');
}

/** SQL of one item of an ORDER BY; `render` produces the SQL of its expression. */
export function sortSql({ node, sortby_dir, sortby_nulls }: SortBy, render: (node: Node) => string): string {
  if (!node) throw queryFault('An item of ORDER BY has no expression.');
  if (sortby_dir === 'SORTBY_USING') throw queryFault('MQL does not support USING in ORDER BY.');
  const nulls = { SORTBY_NULLS_FIRST: ' nulls first', SORTBY_NULLS_LAST: ' nulls last', SORTBY_NULLS_DEFAULT: '' };
  return `${render(node)}${sortby_dir === 'SORTBY_DESC' ? ' desc' : ''}${nulls[sortby_nulls ?? 'SORTBY_NULLS_DEFAULT']}`;
}
