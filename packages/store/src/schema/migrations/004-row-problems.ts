/**
 * Rows of which a value did not get into the records, noted when these are derived. A table of its own: it is nearly
 * always empty, so that counting costs nothing, and noting a problem does not write the row again.
 */
export const rowProblems = `
create table unified.row_problems (
  connection_id uuid not null,
  stream text not null,
  key text not null,
  problems json not null,
  primary key (connection_id, stream, key)
);`;
