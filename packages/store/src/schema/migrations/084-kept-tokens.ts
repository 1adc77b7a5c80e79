/**
 * Tokens that authorization servers have issued in exchange for those that were entered. `grant` is a hash of what was entered;
 * `token` is encrypted, and empty only within the transaction that adds the row. A row belongs to no connection as long as the
 * system is only being checked.
 */
export const keptTokens = `
create table unified.kept_tokens (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  "connectionId" uuid references unified.connections on delete cascade,
  "grant" text not null,
  token text not null default '',
  "renewedAt" timestamptz not null default now(),
  unique ("applicationId", "grant")
);
create index on unified.kept_tokens ("connectionId");
create index on unified.kept_tokens ("renewedAt") where "connectionId" is null;`;
