import type { FieldKind } from '@unified/contract';

/** An expression as SQL, and the kind of field that its values correspond to, if known. */
export interface Value {
  readonly sql: string;
  /**
   * If absent, PostgreSQL's type of the expression determines the kind. Columns with dates have type `timestamptz`, midnight in
   * UTC; an expression of kind `date` has that type or `date`.
   */
  readonly kind?: FieldKind | undefined;
  /** Entities that a value of kind `relation` may point to. */
  readonly targets?: readonly string[] | undefined;
  /** Name of the field or column, if it is one. */
  readonly name?: string | undefined;
  /** Whether it is a constant or a parameter, which has no kind of its own. */
  readonly isConstant?: true;
}

/** The SQL of a value where PostgreSQL must treat a date as a date: in arithmetic, calls, casts, and results. */
export function plainSql({ sql, kind }: Value): string {
  return kind === 'date' ? `(${sql})::date` : sql;
}

/** Kinds that are kept when one of several values is chosen and others are constants; a constant may have any value. */
const KEPT_BESIDE_CONSTANTS: ReadonlySet<FieldKind | undefined> = new Set<FieldKind>(['date', 'datetime']);

/** The kind of a value that is one of several, for example the result of `coalesce`; undefined if it is not known. */
export function sharedKind(values: readonly Value[]): FieldKind | undefined {
  const [first, ...others] = values.filter(({ isConstant }) => !isConstant);
  if (!first || others.some(({ kind }) => kind !== first.kind)) return undefined;
  const isMixed = others.length + 1 < values.length;
  return isMixed && !KEPT_BESIDE_CONSTANTS.has(first.kind) ? undefined : first.kind;
}

/** An identifier in quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
