import type {
  A_Const,
  A_Expr,
  BoolExpr,
  BooleanTest,
  CaseExpr,
  ColumnRef,
  MinMaxExpr,
  Node,
  NullTest,
  ParamRef,
  SQLValueFunction,
  SubLink,
  TypeCast,
} from 'libpg-query';
import pg from 'pg';
import { callValue } from './call.ts';
import type { ExpressionContext } from './expression-context.ts';
import { queryFault } from './query-fault.ts';
import { castTypes } from './query-types.ts';
import { plainSql, sharedKind, type Value } from './value.ts';

type Emit<T> = (node: T, context: ExpressionContext) => Value;

/** The expressions of MQL, by node. `allowed-nodes.ts` has already refused everything else. */
const expressions: { readonly [kind: string]: Emit<never> } = {
  ColumnRef: columnValue,
  A_Const: constantValue,
  ParamRef: ({ number = 0, location }: ParamRef, { parameter }) => ({
    sql: parameter(number, location),
    isConstant: true,
  }),
  A_Expr: operatorValue,
  A_ArrayExpr: ({ elements = [] }: { elements?: Node[] }, context) => ({
    sql: `array[${values(elements, context).map(plainSql).join(', ')}]`,
  }),
  BoolExpr: logicalValue,
  NullTest: ({ arg, nulltesttype }: NullTest, context) => ({
    sql: `(${context.value(arg).sql} is ${nulltesttype === 'IS_NULL' ? '' : 'not '}null)`,
  }),
  BooleanTest: ({ arg, booltesttype = 'IS_TRUE' }: BooleanTest, context) => ({
    sql: `(${context.value(arg).sql} ${booltesttype.replaceAll('_', ' ').toLowerCase()})`,
  }),
  CaseExpr: caseValue,
  CoalesceExpr: ({ args = [] }: { args?: Node[] }, context) => oneOf('coalesce', values(args, context)),
  MinMaxExpr: ({ op, args = [] }: MinMaxExpr, context) =>
    oneOf(op === 'IS_GREATEST' ? 'greatest' : 'least', values(args, context)),
  TypeCast: castValue,
  SQLValueFunction: ({ op }: SQLValueFunction) =>
    op === 'SVFOP_CURRENT_DATE' ? { sql: 'current_date', kind: 'date' } : { sql: 'current_timestamp' },
  FuncCall: callValue,
  SubLink: subqueryValue,
} satisfies { readonly [kind: string]: Emit<never> };

/** SQL of an expression. Throws SERVICE_INVALID_QUERY. */
export function valueOfNode(node: Node | undefined, context: ExpressionContext): Value {
  const [kind, content] = Object.entries(node ?? {})[0] ?? ['nothing', {}];
  const emit = Object.hasOwn(expressions, kind) ? expressions[kind] : undefined;
  if (!emit) throw queryFault(`MQL does not support ${kind} here.`);
  return emit(content as never, context);
}

function values(nodes: readonly Node[], context: ExpressionContext): Value[] {
  return nodes.map((node) => context.value(node));
}

/** The parts of a name: `orders.vendor.code`. Undefined if it contains `*`. */
export function pathOf({ fields = [] }: ColumnRef): readonly string[] | undefined {
  const parts = fields.flatMap((field) => ('String' in field ? [field.String.sval ?? ''] : []));
  return parts.length === fields.length ? parts : undefined;
}

function columnValue(node: ColumnRef, { scope }: ExpressionContext): Value {
  const path = pathOf(node);
  if (!path) throw queryFault('`*` is allowed as a column of the result and in count(*) only.', node.location);
  return scope.resolve(path, node.location);
}

const INTEGER = /^-?\d{1,19}$/;
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function constantValue(constant: A_Const): Value {
  return { sql: literal(constant), isConstant: true };
}

function literal({ ival, fval, sval, boolval, isnull, location }: A_Const): string {
  if (isnull) return 'null';
  if (sval) return pg.escapeLiteral(sval.sval ?? '');
  if (boolval) return String(boolval.boolval ?? false);
  const number = fval ? (fval.fval ?? '') : String(ival?.ival ?? 0);
  if (!INTEGER.test(number) && !NUMBER.test(number)) {
    throw queryFault(`Write the number ${JSON.stringify(number)} with decimal digits only.`, location);
  }
  return number.startsWith('-') ? `(${number})` : number;
}

/** Comparison operators. Values are compared as stored, so that indexes on dates can be used. */
const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);
const PATTERNS: Readonly<Record<string, string>> = {
  '~~': 'like',
  '!~~': 'not like',
  '~~*': 'ilike',
  '!~~*': 'not ilike',
};
/**
 * Characters of a text that `||` joins, or that another value is cast to: a statement could double a text again and again, by
 * `t || t` or by `array[t, t]::text`.
 */
const LONGEST_MADE = 100_000;

function shortened(text: string): string {
  return `pg_catalog.left(${text}, ${LONGEST_MADE})`;
}

/** The meaning of `A_Expr`, by its kind. */
const operators: Readonly<Record<string, (node: A_Expr, operator: string, context: ExpressionContext) => Value>> = {
  AEXPR_OP: binaryValue,
  AEXPR_OP_ANY: (node, operator, context) => ({ sql: quantified(node, operator, 'any', context) }),
  AEXPR_OP_ALL: (node, operator, context) => ({ sql: quantified(node, operator, 'all', context) }),
  AEXPR_DISTINCT: (node, _, context) => ({ sql: between(node, 'is distinct from', context) }),
  AEXPR_NOT_DISTINCT: (node, _, context) => ({ sql: between(node, 'is not distinct from', context) }),
  AEXPR_NULLIF: ({ lexpr, rexpr }, _, context) => {
    const [left, right] = [context.value(lexpr), context.value(rexpr)];
    return { sql: `nullif(${left.sql}, ${right.sql})`, kind: left.kind, targets: left.targets };
  },
  AEXPR_IN: ({ lexpr, rexpr }, operator, context) => {
    const list = listOf(rexpr, context).map(({ sql }) => sql);
    return { sql: `(${context.value(lexpr).sql} ${operator === '<>' ? 'not in' : 'in'} (${list.join(', ')}))` };
  },
  AEXPR_LIKE: likeValue,
  AEXPR_ILIKE: likeValue,
  AEXPR_BETWEEN: (node, _, context) => ({ sql: range(node, 'between', context) }),
  AEXPR_NOT_BETWEEN: (node, _, context) => ({ sql: range(node, 'not between', context) }),
  AEXPR_BETWEEN_SYM: (node, _, context) => ({ sql: range(node, 'between symmetric', context) }),
  AEXPR_NOT_BETWEEN_SYM: (node, _, context) => ({ sql: range(node, 'not between symmetric', context) }),
};

function operatorValue(node: A_Expr, context: ExpressionContext): Value {
  const [name, ...schema] = (node.name ?? [])
    .toReversed()
    .flatMap((each) => ('String' in each ? [each.String.sval ?? ''] : []));
  const emit = operators[node.kind ?? ''];
  if (!emit || name === undefined || schema.length > 0)
    throw queryFault('MQL does not support this operator.', node.location);
  return emit(node, name, context);
}

function binaryValue({ lexpr, rexpr, location }: A_Expr, operator: string, context: ExpressionContext): Value {
  const right = context.value(rexpr);
  if (!lexpr && operator === '-') return { sql: `(- ${right.sql})`, kind: right.kind };
  if (!lexpr) throw unknownOperator(operator, location);
  const left = context.value(lexpr);
  if (COMPARISONS.has(operator)) return { sql: `(${left.sql} ${operator} ${right.sql})` };
  if (operator === '||') {
    return { sql: shortened(`(${plainSql(left)})::text || (${plainSql(right)})::text`) };
  }
  if (!ARITHMETIC.has(operator)) throw unknownOperator(operator, location);
  const isInteger = operator !== '/' && left.kind === 'integer' && right.kind === 'integer';
  return { sql: `(${plainSql(left)} ${operator} ${plainSql(right)})`, kind: isInteger ? 'integer' : undefined };
}

function unknownOperator(operator: string, location: number | undefined): Error {
  return queryFault(`MQL does not have the operator ${operator}.`, location);
}

function likeValue({ lexpr, rexpr, location }: A_Expr, operator: string, context: ExpressionContext): Value {
  const word = PATTERNS[operator];
  if (word === undefined) throw unknownOperator(operator, location);
  return { sql: `(${plainSql(context.value(lexpr))} ${word} ${plainSql(context.value(rexpr))})` };
}

function between({ lexpr, rexpr }: A_Expr, words: string, context: ExpressionContext): string {
  return `(${context.value(lexpr).sql} ${words} ${context.value(rexpr).sql})`;
}

function range({ lexpr, rexpr }: A_Expr, words: string, context: ExpressionContext): string {
  const [from, to] = listOf(rexpr, context);
  return `(${context.value(lexpr).sql} ${words} ${from?.sql} and ${to?.sql})`;
}

function quantified(
  { lexpr, rexpr, location }: A_Expr,
  operator: string,
  word: string,
  context: ExpressionContext,
): string {
  const written = COMPARISONS.has(operator) ? operator : PATTERNS[operator];
  if (written === undefined) throw unknownOperator(operator, location);
  return `(${context.value(lexpr).sql} ${written} ${word} (${context.value(rexpr).sql}))`;
}

function listOf(node: Node | undefined, context: ExpressionContext): Value[] {
  return node && 'List' in node ? values(node.List.items ?? [], context) : [];
}

function logicalValue({ boolop, args = [] }: BoolExpr, context: ExpressionContext): Value {
  const parts = values(args, context).map(({ sql }) => sql);
  if (boolop === 'NOT_EXPR') return { sql: `(not ${parts[0]})` };
  return { sql: `(${parts.join(boolop === 'OR_EXPR' ? ' or ' : ' and ')})` };
}

function caseValue({ arg, args = [], defresult }: CaseExpr, context: ExpressionContext): Value {
  const whens = args.flatMap((each) => ('CaseWhen' in each ? [each.CaseWhen] : []));
  const results = values(
    whens.flatMap(({ result }) => result ?? []),
    context,
  );
  const otherwise = defresult && context.value(defresult);
  const branches = whens.map(({ expr }, at) => ` when ${context.value(expr).sql} then ${results[at]?.sql}`);
  const tested = arg ? ` ${context.value(arg).sql}` : '';
  return {
    sql: `(case${tested}${branches.join('')}${otherwise ? ` else ${otherwise.sql}` : ''} end)`,
    kind: sharedKind([...results, ...(otherwise ? [otherwise] : [])]),
  };
}

function oneOf(name: string, args: readonly Value[]): Value {
  return { sql: `${name}(${args.map(({ sql }) => sql).join(', ')})`, kind: sharedKind(args) };
}

/** Names of types are keywords or PostgreSQL's own names, such as `int4` for `integer`. */
function castValue({ arg, typeName }: TypeCast, context: ExpressionContext): Value {
  const names = (typeName?.names ?? []).flatMap((each) => ('String' in each ? [each.String.sval ?? ''] : []));
  const name = names.at(-1) ?? '';
  const isKnown = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  const type = isKnown ? castTypes.get(name) : undefined;
  if (type === undefined) throw queryFault(`MQL does not have the type ${names.join('.')}.`, typeName?.location);
  const value = context.value(arg);
  const digits = type === 'numeric' ? digitsOf(typeName?.typmods ?? [], context) : '';
  const cast = `(${plainSql(value)})::${type}${digits}`;
  if (type === 'text') return { sql: shortened(cast) };
  return { sql: cast, kind: type === 'date' ? 'date' : undefined };
}

function digitsOf(modifiers: readonly Node[], context: ExpressionContext): string {
  if (modifiers.length === 0) return '';
  return `(${values(modifiers, context)
    .map(({ sql }) => sql)
    .join(', ')})`;
}

/** A query as a value, a list of values, or a condition. */
function subqueryValue({ subLinkType, testexpr, subselect, location }: SubLink, context: ExpressionContext): Value {
  if (!subselect || !('SelectStmt' in subselect)) throw queryFault('MQL does not support this subquery.', location);
  const { sql, columns } = context.query(subselect.SelectStmt);
  if (subLinkType === 'EXISTS_SUBLINK') return { sql: `(exists (${sql}))` };
  const [only, ...others] = columns;
  if (!only || others.length > 0) throw queryFault('A subquery in an expression must have one column.', location);
  if (subLinkType === 'EXPR_SUBLINK') return { sql: `(${sql})`, kind: only.kind, targets: only.targets };
  if (subLinkType !== 'ANY_SUBLINK')
    throw queryFault('MQL does not support this subquery. Use IN or EXISTS.', location);
  return { sql: `(${context.value(testexpr).sql} in (${sql}))` };
}
