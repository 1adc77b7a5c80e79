/**
 * Tables of the service itself. Those that begin with connection_id belong to a connection; tenants see only their own rows.
 */
export const systemTables = `
create schema unified;
create schema data;

create table unified.settings (
  name text primary key,
  value json not null
);

create table unified.applications (
  id uuid primary key,
  name text not null,
  secret text not null,
  "createdAt" timestamptz not null default now()
);

create table unified.connections (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications,
  platform text not null,
  name text not null,
  settings text not null,
  status text not null check (status in ('active', 'inactive')),
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index on unified.connections ("applicationId", id);

create table unified.connection_tokens (
  id uuid primary key,
  "connectionId" uuid not null references unified.connections on delete cascade,
  hash text not null unique,
  name text not null,
  "expiresAt" timestamptz,
  "createdAt" timestamptz not null default now()
);
create index on unified.connection_tokens ("connectionId");

create table unified.heads (
  connection_id uuid primary key,
  seq bigint not null default 0
);

create table unified.changes (
  connection_id uuid not null,
  seq bigint not null,
  entity text not null,
  id uuid not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  fields text[] not null,
  at timestamptz not null default now(),
  primary key (connection_id, seq)
);

create table unified.raw_rows (
  connection_id uuid not null,
  stream text not null,
  key text not null,
  row json not null,
  hash text not null,
  "savedAt" timestamptz not null default now(),
  "deletedAt" timestamptz,
  primary key (connection_id, stream, key)
);

create table unified.raw_passes (
  connection_id uuid not null,
  stream text not null,
  pass uuid not null,
  page uuid not null,
  keys text[] not null,
  primary key (connection_id, stream, pass, page)
);

create table unified.sync_streams (
  connection_id uuid not null,
  stream text not null,
  cursor json,
  "passId" uuid,
  "passMode" text,
  "passMark" json,
  "passFrom" json,
  "passStartedAt" timestamptz,
  "lastSuccessAt" timestamptz,
  "runningSince" timestamptz,
  error text,
  "rowsSeen" bigint not null default 0,
  "nextRunAt" timestamptz,
  primary key (connection_id, stream)
);
create index on unified.sync_streams ("nextRunAt");

create table unified.unresolved_references (
  connection_id uuid not null,
  source text not null,
  "idValue" text not null,
  entity text not null,
  by text not null,
  value text not null,
  primary key (connection_id, source, "idValue", entity, by, value)
);
create index on unified.unresolved_references (connection_id, entity, by, value);

create table unified.stale_records (
  connection_id uuid not null,
  source text not null,
  "idValue" text not null,
  primary key (connection_id, source, "idValue")
);

create table unified.renamed_targets (
  connection_id uuid not null,
  entity text not null,
  id uuid not null,
  primary key (connection_id, entity, id)
);

create table unified.lanes (
  connection_id uuid primary key,
  seq bigint not null default 0
);

create table unified.writes (
  connection_id uuid not null,
  "writeId" uuid not null,
  seq bigint not null,
  operation text not null,
  entity text not null,
  op text not null,
  action text,
  "targetId" uuid,
  body json,
  "idempotencyKey" text,
  status text not null check (status in ('pending', 'running', 'unknown', 'succeeded', 'failed', 'cancelled')),
  attempts integer not null default 0,
  result json,
  steps json not null default '[]',
  leftovers json not null default '[]',
  warnings json not null default '[]',
  "resolvedRefs" json not null default '[]',
  synced boolean not null default false,
  "syncedAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  "startedAt" timestamptz,
  "finishedAt" timestamptz,
  "nextAttemptAt" timestamptz,
  error json,
  primary key (connection_id, "writeId"),
  unique (connection_id, seq)
);
create index writes_open on unified.writes (connection_id, seq) where status in ('pending', 'running', 'unknown');
create index writes_of_target on unified.writes (connection_id, "targetId", "writeId");
create index writes_by_status on unified.writes (connection_id, status, "writeId");

create table unified.idempotency (
  connection_id uuid not null,
  key text not null,
  fingerprint text not null,
  "writeId" uuid not null,
  "expiresAt" timestamptz not null,
  primary key (connection_id, key)
);
create index on unified.idempotency ("expiresAt");
`;

/** Tables of migration 1 that tenants use. */
export const tenantTables = [
  'heads',
  'changes',
  'raw_rows',
  'raw_passes',
  'sync_streams',
  'unresolved_references',
  'stale_records',
  'renamed_targets',
  'lanes',
  'writes',
  'idempotency',
];
