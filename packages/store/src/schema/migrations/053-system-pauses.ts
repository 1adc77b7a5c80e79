/** Pauses that connected systems requested, for all processes. `account` is a hash, and belongs to any number of connections. */
export const systemPauses = `
create table unified.system_pauses (
  account text primary key,
  kind text not null check (kind in ('throttled', 'unavailable')),
  "until" timestamptz not null
);`;
