/**
 * Operators: people who sign in to the console. Passwords are stored as hashes with their parameters; links, sessions and
 * tokens as SHA-256 hashes. With a session, all tokens that were issued in it end. `sign_in_failures` counts refused attempts
 * by hashes of what they are counted for.
 */
export const operators = `
create table unified.operators (
  id uuid primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  password text,
  "isActive" boolean not null default true,
  "createdAt" timestamptz not null default now(),
  "lastSignInAt" timestamptz
);
create unique index operators_by_email on unified.operators (lower(email));

create table unified.sign_in_links (
  hash text primary key,
  "operatorId" uuid references unified.operators on delete cascade,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null
);
create index on unified.sign_in_links ("operatorId");

create table unified.console_sessions (
  id uuid primary key,
  hash text not null unique,
  "operatorId" uuid not null references unified.operators on delete cascade,
  method text not null check (method in ('password', 'passkey', 'openid_connect', 'link')),
  address text not null,
  browser text,
  "createdAt" timestamptz not null default now(),
  "lastUsedAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null
);
create index on unified.console_sessions ("operatorId");
create index on unified.console_sessions ("expiresAt");

create table unified.console_tokens (
  id uuid primary key,
  hash text not null unique,
  "sessionId" uuid not null references unified.console_sessions on delete cascade,
  "applicationId" uuid not null references unified.applications on delete cascade,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null
);
create index on unified.console_tokens ("sessionId");
create index on unified.console_tokens ("applicationId");

alter table unified.connection_tokens
  add column "sessionId" uuid references unified.console_sessions on delete cascade;
create index on unified.connection_tokens ("sessionId") where "sessionId" is not null;

create table unified.sign_in_failures (
  key text primary key,
  failures integer not null,
  "blockedUntil" timestamptz,
  "at" timestamptz not null default now()
);
create index on unified.sign_in_failures ("at");`;
