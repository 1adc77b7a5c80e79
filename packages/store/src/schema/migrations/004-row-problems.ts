/**
 * Rows with a value that is left out of the records, recorded when these are derived. It is a separate table: it is nearly
 * always empty, so counting is cheap, and recording a problem does not rewrite the row.
 */
export const rowProblems = `
create table unified.row_problems (
  connection_id uuid not null,
  stream text not null,
  key text not null,
  problems json not null,
  primary key (connection_id, stream, key)
);`;
