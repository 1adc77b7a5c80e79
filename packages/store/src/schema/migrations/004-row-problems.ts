/**
 * Rows with a value that was left out of their records when these were derived. This is a separate table because it is nearly
 * always empty, so counting is cheap, and because recording a problem does not rewrite the row.
 */
export const rowProblems = `
create table unified.row_problems (
  connection_id uuid not null,
  stream text not null,
  key text not null,
  problems json not null,
  primary key (connection_id, stream, key)
);`;
