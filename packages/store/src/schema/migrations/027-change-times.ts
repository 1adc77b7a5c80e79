/** The time of a connection's last change, next to the number of that change. Every list reads it for its entity tag. */
export const changeTimes = `
alter table unified.change_cursors add column "changedAt" timestamptz;
update unified.change_cursors cursors set "changedAt" = changes.at
  from unified.changes where changes.connection_id = cursors.connection_id and changes.seq = cursors.seq;`;
