/** Authorizations of end users that are in progress. `content` and `progress` are encrypted: they contain credentials. */
export const authorizations = `
create table unified.authorization_sessions (
  id uuid primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  browser text not null,
  content text not null,
  "checkId" uuid,
  checks integer not null default 0,
  progress text,
  "progressAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null,
  "endedAt" timestamptz
);
create index on unified.authorization_sessions ("clientId");
create index on unified.authorization_sessions ("expiresAt");`;
