import type { TransactionsInFlight } from '../dialect/sql-dialect.ts';

const UNSEEN =
  'The login cannot see how long transactions of other users have been open, so changes in transactions longer than ' +
  'cursorOverlapSeconds are found only by the next full pass. Grant it pg_read_all_stats.';

export const inFlight: TransactionsInFlight = {
  async safeInstant(query, overlapSeconds) {
    const [row] = await query(
      `SELECT to_char(least(min(xact_start), clock_timestamp() - make_interval(secs => $1)) AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS mark
       FROM pg_stat_activity WHERE datname = current_database()`,
      [overlapSeconds],
    );
    return String(row?.mark);
  },
  // Every open transaction holds a lock on its own id, which all users may see; a prepared transaction has no process.
  async ids(query) {
    const rows = await query(
      `SELECT DISTINCT virtualtransaction AS id FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
       WHERE locktype IN ('virtualxid', 'transactionid') AND granted AND pid IS DISTINCT FROM pg_backend_pid()
         AND (pid IS NULL OR datname = current_database())`,
    );
    return rows.map(({ id }) => String(id));
  },
  async notes(query) {
    const [row] = await query(`SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "isSeen"`);
    return row?.isSeen ? [] : [UNSEEN];
  },
};
