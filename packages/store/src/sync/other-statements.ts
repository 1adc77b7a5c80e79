import { type Scope, sessionOf } from '../access/scope.ts';

/** Number of statements that the database runs now for other transactions. Call it in a transaction. */
export async function otherStatements(scope: Scope): Promise<number> {
  // Only the owner of the sessions can see what they are doing.
  const [row] = await sessionOf(scope).runAsOwner<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where datname = current_database() and state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    [],
  );
  return row?.others ?? 0;
}
