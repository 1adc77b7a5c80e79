/**
 * Authorizations in frames of applications, their kill switch, and the values of settings forms. A session that was opened has
 * an authorization session with the same id.
 */
export const embeddedSessions = `
create table unified.embed_sessions (
  id uuid primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  "endCustomerId" uuid not null,
  origin text not null,
  platforms text[],
  "connectionId" uuid references unified.connections on delete cascade,
  token text not null,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null,
  "openedAt" timestamptz,
  "endedAt" timestamptz
);
create index on unified.embed_sessions ("clientId");
create index on unified.embed_sessions ("connectionId");
create index on unified.embed_sessions ("expiresAt");

create table unified.embed_settings (
  "connectionId" uuid primary key references unified.connections on delete cascade,
  "values" text not null,
  "updatedAt" timestamptz not null default now()
);

alter table unified.applications add column "embedIsClosed" boolean not null default false;
alter table unified.applications add column "embedReason" text;
alter table unified.applications add column "embedChangedAt" timestamptz;
alter table unified.connections add column "endCustomerId" uuid;
`;
