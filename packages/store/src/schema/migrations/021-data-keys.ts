/** Keys of secrets at rest, each wrapped by a master key, or by two while the master key is being rotated. */
export const dataKeys = `
create table unified.data_keys (
  id text not null,
  "masterId" text not null,
  wrapped text not null,
  "createdAt" timestamptz not null default clock_timestamp(),
  "wrappedAt" timestamptz not null default clock_timestamp(),
  primary key (id, "masterId")
);`;
