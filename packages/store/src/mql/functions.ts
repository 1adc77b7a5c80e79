import type { FieldKind } from '@unified/contract';
import { plainSql, type Value } from './value.ts';

/** A function of MQL. All are immutable or stable, and no result is much larger than the arguments. */
export interface QueryFunction {
  readonly kind: 'scalar' | 'aggregate' | 'window';
  /** SQL of a call with these arguments. */
  readonly sql: (args: readonly Value[], distinct: string) => string;
  /** The kind of the result, if it follows from the arguments. */
  readonly result: (args: readonly Value[]) => FieldKind | undefined;
}

type Result = QueryFunction['result'];

const unknownKind: Result = () => undefined;
const firstKind: Result = ([first]) => first?.kind;
/** A sum of integers is an integer, though PostgreSQL adds them as numbers of any precision. */
const sumKind: Result = ([first]) => (first?.kind === 'integer' ? 'integer' : undefined);
/** A truncated date is still a date, whatever unit it is truncated to. */
const truncatedKind: Result = ([, value]) => (value?.kind === 'date' ? 'date' : undefined);

type Render = (value: Value) => string;
/** As stored, even for a date, which then can be read from an index. */
const stored: Render = ({ sql }) => sql;

function define(kind: QueryFunction['kind'], names: readonly string[], render: Render, result: Result) {
  const made = (name: string): QueryFunction => ({
    kind,
    result,
    sql: (args, distinct) => `pg_catalog.${name}(${distinct}${args.map(render).join(', ')})`,
  });
  return names.map((name) => [name, made(name)] as const);
}

/** Calls that SQL writes with keywords, such as `extract(year from x)`. PostgreSQL parses them to calls in `pg_catalog`. */
export const keywordFunctions: ReadonlyMap<string, QueryFunction> = new Map([
  ...define('scalar', ['extract'], stored, unknownKind),
  ...define('scalar', ['btrim', 'ltrim', 'rtrim', 'substring', 'position', 'like_escape'], plainSql, unknownKind),
  ...define('scalar', ['timezone'], stored, unknownKind),
]);

export const functions: ReadonlyMap<string, QueryFunction> = new Map([
  ...define('aggregate', ['count'], stored, unknownKind),
  ...define('aggregate', ['min', 'max'], stored, firstKind),
  ...define('aggregate', ['sum'], plainSql, sumKind),
  ...define('aggregate', ['avg', 'stddev', 'variance', 'bool_and', 'bool_or'], plainSql, unknownKind),
  ...define(
    'window',
    ['row_number', 'rank', 'dense_rank', 'percent_rank', 'cume_dist', 'ntile'],
    plainSql,
    unknownKind,
  ),
  ...define('window', ['lag', 'lead', 'first_value', 'last_value'], stored, firstKind),
  ...define(
    'scalar',
    ['lower', 'upper', 'initcap', 'length', 'left', 'right', 'substr', 'strpos'],
    plainSql,
    unknownKind,
  ),
  ...define('scalar', ['btrim', 'ltrim', 'rtrim', 'split_part', 'starts_with'], plainSql, unknownKind),
  ...define('scalar', ['round', 'ceil', 'ceiling', 'floor', 'trunc', 'mod', 'sign', 'sqrt'], plainSql, unknownKind),
  ...define('scalar', ['abs'], plainSql, firstKind),
  ...define('scalar', ['date_trunc'], stored, truncatedKind),
  ...define('scalar', ['date_part'], stored, unknownKind),
  ...define('scalar', ['age', 'make_date', 'to_char', 'now', 'cardinality'], plainSql, unknownKind),
]);
