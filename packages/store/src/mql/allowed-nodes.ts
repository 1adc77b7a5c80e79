import { queryFault } from './query-fault.ts';

/**
 * The nodes of PostgreSQL's syntax tree that MQL allows, each with the fields that it may have: `true`, or the kind of a node
 * that the tree contains without naming it. Everything else is refused, including what later versions of PostgreSQL add.
 */
const NODES: Readonly<Record<string, Readonly<Record<string, true | string>>>> = {
  SelectStmt: {
    ...{
      targetList: true,
      fromClause: true,
      whereClause: true,
      groupClause: true,
      havingClause: true,
      sortClause: true,
    },
    ...{
      limitCount: true,
      limitOffset: true,
      limitOption: true,
      distinctClause: true,
      op: true,
      withClause: 'WithClause',
    },
  },
  WithClause: { ctes: true, location: true },
  CommonTableExpr: { ctename: true, ctequery: true, ctematerialized: true, location: true },
  ResTarget: { name: true, val: true, location: true },
  RangeVar: { relname: true, inh: true, relpersistence: true, alias: 'Alias', location: true },
  RangeSubselect: { subquery: true, alias: 'Alias' },
  JoinExpr: { jointype: true, larg: true, rarg: true, quals: true },
  Alias: { aliasname: true },
  ColumnRef: { fields: true, location: true },
  A_Star: {},
  String: { sval: true },
  Integer: { ival: true },
  Float: { fval: true },
  Boolean: { boolval: true },
  A_Const: { ival: 'Integer', fval: 'Float', sval: 'String', boolval: 'Boolean', isnull: true, location: true },
  ParamRef: { number: true, location: true },
  A_ArrayExpr: { elements: true, list_start: true, list_end: true, location: true },
  A_Expr: {
    ...{ kind: true, name: true, lexpr: true, rexpr: true, location: true },
    ...{ rexpr_list_start: true, rexpr_list_end: true },
  },
  List: { items: true },
  BoolExpr: { boolop: true, args: true, location: true },
  NullTest: { arg: true, nulltesttype: true, location: true },
  BooleanTest: { arg: true, booltesttype: true, location: true },
  CaseExpr: { arg: true, args: true, defresult: true, location: true },
  CaseWhen: { expr: true, result: true, location: true },
  CoalesceExpr: { args: true, location: true },
  MinMaxExpr: { op: true, args: true, location: true },
  TypeCast: { arg: true, typeName: 'TypeName', location: true },
  TypeName: { names: true, typmods: true, typemod: true, location: true },
  SQLValueFunction: { op: true, typmod: true, location: true },
  FuncCall: {
    ...{ funcname: true, args: true, agg_filter: true, agg_star: true, agg_distinct: true, over: 'WindowDef' },
    ...{ funcformat: true, location: true },
  },
  WindowDef: {
    ...{ partitionClause: true, orderClause: true, frameOptions: true, startOffset: true, endOffset: true },
    location: true,
  },
  SortBy: { node: true, sortby_dir: true, sortby_nulls: true, location: true },
  GroupingSet: { kind: true, content: true, location: true },
  SubLink: { subLinkType: true, testexpr: true, subselect: true, location: true },
};

/** The only values that these fields may have. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  op: ['SETOP_NONE', 'IS_GREATEST', 'IS_LEAST', 'SVFOP_CURRENT_DATE', 'SVFOP_CURRENT_TIMESTAMP'],
  limitOption: ['LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT'],
  ctematerialized: ['CTEMaterializeDefault'],
  relpersistence: ['p'],
};

/** Names, for messages, of what MQL does not support, by node or field of the tree. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ lockingClause: 'row locks (FOR UPDATE, FOR SHARE)', intoClause: 'INTO', valuesLists: 'VALUES', larg: 'UNION' },
  ...{ op: 'UNION, INTERSECT and EXCEPT', limitOption: 'WITH TIES', windowClause: 'named windows (WINDOW)' },
  ...{ recursive: 'WITH RECURSIVE', schemaname: 'schemas', catalogname: 'databases', lateral: 'LATERAL' },
  ...{
    isNatural: 'NATURAL joins',
    usingClause: 'USING; write the condition with ON',
    colnames: 'lists of column aliases',
  },
  ...{ aliascolnames: 'lists of column aliases', ctematerialized: 'MATERIALIZED', agg_order: 'ORDER BY in aggregates' },
  ...{
    agg_within_group: 'WITHIN GROUP',
    func_variadic: 'VARIADIC',
    arrayBounds: 'casts to arrays',
    bsval: 'bit strings',
  },
  ...{ RangeFunction: 'functions in FROM', A_Indirection: 'subscripts and fields of expressions' },
  ...{
    RowExpr: 'rows',
    CollateClause: 'COLLATE',
    NamedArgExpr: 'named arguments',
    XmlExpr: 'XML',
    groupDistinct: 'GROUP BY DISTINCT',
  },
};

/** Maximum depth of the tree; each function of this package that traverses it needs a few stack frames per level. */
const DEEPEST = 200;

/** Throws SERVICE_INVALID_QUERY if the tree contains anything but these nodes with these fields, or is too deep. */
export function checkNodes(kind: string, node: unknown): void {
  checkFields(kind, node, 0);
}

function checkFields(kind: string, node: unknown, depth: number): void {
  const allowed = Object.hasOwn(NODES, kind) ? NODES[kind] : undefined;
  if (allowed === undefined || !isObject(node)) throw unsupported(kind, node);
  if (depth > DEEPEST) throw queryFault(`The statement is nested deeper than ${DEEPEST} levels. Simplify it.`);
  for (const [name, value] of Object.entries(node)) {
    const contained = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    const values = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    if (contained === undefined || (values && !values.includes(value))) throw unsupported(name, node);
    if (contained === true) checkValue(value, depth + 1);
    else checkFields(contained, value, depth + 1);
  }
}

/** A plain value, a node with its kind, or a list of these. */
function checkValue(value: unknown, depth: number): void {
  if (Array.isArray(value)) for (const each of value) checkValue(each, depth);
  else if (isObject(value)) for (const [kind, node] of Object.entries(value)) checkFields(kind, node, depth);
}

function unsupported(what: string, node: unknown): Error {
  const location = isObject(node) && typeof node.location === 'number' ? node.location : undefined;
  const name = Object.hasOwn(NAMES, what) ? NAMES[what] : `this part of SQL (${what})`;
  return queryFault(`MQL does not support ${name}. The description of the operation lists what it supports.`, location);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
