import { type Scope, sessionOf } from '../access/scope.ts';

/** Values of one field that are missing from the record derived from a row, and why. */
export interface RowProblem {
  readonly entity: string;
  /** Including the properties below it: `lines.quantity`. */
  readonly field: string;
  readonly reason: 'unreadable' | 'not_allowed' | 'duplicate_key';
  /** The same for all rows with the same problem. */
  readonly message: string;
  readonly count: number;
  /** Beginning of one of the values; null if it must not be shown. */
  readonly example: string | null;
}

/** One problem in all rows of a stream that have it. */
export interface StreamProblem extends RowProblem {
  readonly stream: string;
}

/**
 * Stores the problems of rows, by key. Earlier ones are deleted when a row is saved. Otherwise, call `forgetRowProblems` first.
 */
export async function saveRowProblems(
  scope: Scope,
  stream: string,
  problems: ReadonlyMap<string, readonly RowProblem[]>,
): Promise<void> {
  if (problems.size === 0) return;
  await sessionOf(scope).runBulk(
    `insert into unified.row_problems (connection_id, stream, key, problems)
     select $1::uuid, $2::text, key, problems
       from rows from (unnest($3::text[]), json_array_elements($4::json)) given(key, problems)
     on conflict (connection_id, stream, key) do update set problems = excluded.problems`,
    [scope.connectionId, stream, [...problems.keys()], JSON.stringify([...problems.values()])],
  );
}

/** Deletes the problems of rows whose records are derived again. */
export async function forgetRowProblems(scope: Scope, stream: string, keys: readonly string[]): Promise<void> {
  await sessionOf(scope).runBulk(
    `delete from unified.row_problems where connection_id = $1 and stream = $2 and key = any($3::text[])`,
    [scope.connectionId, stream, keys],
  );
}

/** Counts the problems of existing rows by stream, entity, field and message, for one stream or all. */
export async function rowProblems(scope: Scope, stream?: string): Promise<StreamProblem[]> {
  return sessionOf(scope).run<StreamProblem>(
    `select stream, problem ->> 'entity' as entity, problem ->> 'field' as field, problem ->> 'reason' as reason,
            problem ->> 'message' as message, sum((problem ->> 'count')::int) as count, min(problem ->> 'example') as example
       from unified.row_problems, json_array_elements(problems) problem
      where connection_id = $1 and ($2::text is null or stream = $2)
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [scope.connectionId, stream ?? null],
  );
}
