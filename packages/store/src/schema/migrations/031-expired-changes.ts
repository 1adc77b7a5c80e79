/** The number of the last change that was removed from the log of a connection. */
export const expiredChanges = `
alter table unified.change_cursors add column expired bigint not null default 0;`;
