/**
 * Requests of all processes in the current minute, by what is counted. After a crash, PostgreSQL begins with an empty table, which
 * costs nothing to write before.
 */
export const requestCounts = `
create unlogged table unified.request_counts (
  key text primary key,
  requests integer not null,
  "endsAt" timestamptz not null
) with (fillfactor = 50);`;
