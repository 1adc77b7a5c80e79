/** Renames tables to the terms that the code uses: the cursor of a change log, the queue of the writes of a connection. */
export const names = [
  ['heads', 'change_cursors'],
  ['lanes', 'write_queues'],
]
  .map(
    ([before, after]) => `
alter table unified.${before} rename to ${after};
alter index unified.${before}_pkey rename to ${after}_pkey;
alter table unified.${after} rename constraint ${before}_of_connection to ${after}_of_connection;`,
  )
  .join('\n');
