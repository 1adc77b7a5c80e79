import type { Node, RangeVar } from 'libpg-query';
import { parse } from 'libpg-query';
import { bindRanges, CONNECTION_COLUMNS, isOneConnection, type QueryLevel } from './query-level.ts';

/** The parts that queries of all kinds have. */
interface Query {
  readonly relation?: RangeVar;
  readonly withClause?: { readonly ctes?: readonly Node[] };
  readonly fromClause?: readonly Node[];
  readonly usingClause?: readonly Node[];
  readonly whereClause?: Node;
  readonly targetList?: readonly Node[];
  readonly valuesLists?: readonly Node[];
  readonly selectStmt?: Node;
  readonly cols?: readonly Node[];
  readonly onConflictClause?: unknown;
  /** The two sides of UNION, INTERSECT or EXCEPT. */
  readonly larg?: Query;
  readonly rarg?: Query;
}

interface Check {
  readonly tenantTables: ReadonlySet<string>;
  /** Tables that the statement uses without naming one connection. */
  readonly found: Set<string>;
}

/**
 * The tables of `tenantTables`, with their schema, that a statement uses without limiting them to one connection: by an equality of
 * `connection_id` with a parameter, or with that of rows that are limited. A database that is distributed by connection would ask
 * all its servers.
 */
export async function unboundTables(statement: string, tenantTables: ReadonlySet<string>): Promise<string[]> {
  const check: Check = { tenantTables, found: new Set() };
  for (const { stmt } of (await parse(statement)).stmts ?? []) if (stmt) checkNode(stmt, undefined, check);
  return [...check.found].sort();
}

function checkNode(node: Node, around: QueryLevel | undefined, check: Check): boolean {
  const [kind, query] = Object.entries(node)[0] as [string, Query];
  return checkQuery(query, around, check, kind === 'InsertStmt');
}

/** Checks a query and those inside it. Returns whether its rows belong to one connection. */
function checkQuery(query: Query, around: QueryLevel | undefined, check: Check, isInsert = false): boolean {
  const level: QueryLevel = { ranges: [], around, named: new Map() };
  nameQueries(query, level, check);
  if (query.larg && query.rarg) {
    const sides = [checkQuery(query.larg, level, check), checkQuery(query.rarg, level, check)];
    return sides.every(Boolean);
  }
  const conditions: Node[] = query.whereClause ? [query.whereClause] : [];
  if (query.relation && !isInsert) addTable(query.relation, level, check);
  for (const each of [...(query.fromClause ?? []), ...(query.usingClause ?? [])])
    addRange(each, level, conditions, check);
  bindRanges(conditions, level);
  for (const { table, isBound } of level.ranges) if (table !== undefined && !isBound) check.found.add(table);
  if (query.relation && isInsert) checkInsert(query.relation, query, level, check);
  for (const each of [conditions, query.targetList, query.valuesLists, query.onConflictClause])
    checkSubqueries(each, level, check);
  return level.ranges.some(({ isBound }) => isBound);
}

function nameQueries({ withClause }: Query, level: QueryLevel, check: Check): void {
  for (const each of withClause?.ctes ?? []) {
    if (!('CommonTableExpr' in each)) continue;
    const { ctename = '', ctequery } = each.CommonTableExpr;
    // A recursive query reads itself: its rows belong to one connection if those of its first part do.
    level.named.set(ctename, true);
    if (ctequery) level.named.set(ctename, checkNode(ctequery, level, check));
  }
}

function addTable({ schemaname, relname = '', alias }: RangeVar, level: QueryLevel, { tenantTables }: Check): void {
  const name = alias?.aliasname ?? relname;
  const isBound = schemaname === undefined && (namedQuery(relname, level) ?? false);
  const table = `${schemaname}.${relname}`;
  level.ranges.push({ name, isBound, ...(tenantTables.has(table) && { table }) });
}

function namedQuery(name: string, level: QueryLevel | undefined): boolean | undefined {
  return level && (level.named.get(name) ?? namedQuery(name, level.around));
}

function addRange(node: Node, level: QueryLevel, conditions: Node[], check: Check): void {
  if ('RangeVar' in node) addTable(node.RangeVar, level, check);
  if ('JoinExpr' in node) {
    const { larg, rarg, quals } = node.JoinExpr;
    if (larg) addRange(larg, level, conditions, check);
    if (rarg) addRange(rarg, level, conditions, check);
    if (quals) conditions.push(quals);
  }
  if ('RangeSubselect' in node) {
    const { alias, subquery } = node.RangeSubselect;
    const isBound = subquery !== undefined && checkNode(subquery, level, check);
    level.ranges.push({ name: alias?.aliasname ?? '', isBound });
  }
  if ('RangeFunction' in node) {
    const { alias, functions } = node.RangeFunction;
    level.ranges.push({ name: alias?.aliasname ?? '', isBound: false });
    checkSubqueries(functions, level, check);
  }
}

/** All rows that are inserted must belong to one connection. */
function checkInsert({ schemaname, relname }: RangeVar, query: Query, level: QueryLevel, check: Check): void {
  const table = `${schemaname}.${relname}`;
  const select = query.selectStmt && 'SelectStmt' in query.selectStmt ? (query.selectStmt.SelectStmt as Query) : {};
  const rows = select.valuesLists ?? [];
  const isBound = rows.length === 0 && checkQuery(select, level, check);
  checkSubqueries(rows, level, check);
  if (!check.tenantTables.has(table)) return;
  const at = (query.cols ?? []).findIndex(
    (each) => 'ResTarget' in each && CONNECTION_COLUMNS.has(each.ResTarget.name ?? ''),
  );
  const [target] = (select.targetList ?? []).slice(at);
  const selected = target && 'ResTarget' in target ? target.ResTarget.val : undefined;
  const values = rows.map((row) => ('List' in row ? row.List.items?.[at] : undefined));
  const isNamed = (rows.length > 0 ? values : [selected]).every((each) => each && isOneConnection(each, undefined));
  if (!isNamed && !isBound) check.found.add(table);
}

/** Checks the queries in an expression. */
function checkSubqueries(value: unknown, level: QueryLevel, check: Check): void {
  if (Array.isArray(value)) for (const each of value) checkSubqueries(each, level, check);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (key === 'SelectStmt') checkQuery(each as Query, level, check);
      else checkSubqueries(each, level, check);
    }
  }
}
