/** What the Management API stores for an application, and the marking of a connection as deleted before its data is removed. */
export const management = `
create table unified.client_settings (
  "clientId" uuid not null references unified.clients on delete cascade,
  name text not null,
  value json not null,
  "updatedAt" timestamptz not null default now(),
  primary key ("clientId", name)
);

create table unified.support_requests (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  subject text not null,
  body text not null,
  "connectionId" uuid,
  "requestId" text,
  status text not null default 'open' check (status in ('open', 'answered', 'closed')),
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index on unified.support_requests ("applicationId", id);

create table unified.audit_entries (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null
);
create index on unified.audit_entries ("applicationId", id);

create table unified.keyed_requests (
  "applicationId" uuid not null references unified.applications on delete cascade,
  key text not null,
  fingerprint text not null,
  response text,
  "createdAt" timestamptz not null default now(),
  primary key ("applicationId", key)
);
create index on unified.keyed_requests ("createdAt");

alter table unified.connections add column "deletedAt" timestamptz;
drop index unified.connections_by_name;
create unique index connections_by_name on unified.connections ("applicationId", name) where "deletedAt" is null;`;
