import type { Node, SelectStmt } from 'libpg-query';
import type { Location } from './query-fault.ts';
import type { QueryScope } from './query-scope.ts';
import type { NamedValue } from './query-source.ts';
import type { Value } from './value.ts';

/** What the SQL of an expression depends on. */
export interface ExpressionContext {
  readonly scope: QueryScope;
  /** SQL of an expression. Throws SERVICE_INVALID_QUERY. */
  value(node: Node | undefined): Value;
  /** SQL of a parameter, by its number in the statement. Throws SERVICE_INVALID_QUERY if it has no value. */
  parameter(number: number, location: Location): string;
  /** SQL of a query within the expression, and its columns. */
  query(select: SelectStmt): { readonly sql: string; readonly columns: readonly NamedValue[] };
}
