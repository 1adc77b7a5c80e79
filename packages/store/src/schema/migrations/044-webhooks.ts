/**
 * Endpoints of applications, and what is sent to them. Events of records are prepared from the change logs: the position of an
 * endpoint in the log of a connection is the last change that was prepared. A replay has its own position. Other events are
 * stored together with what they report, with a delivery for each endpoint. `place` is the order of the deliveries of an
 * endpoint; those with the same subject, such as a record, are sent one after the other. Bodies and subjects are texts, which
 * are never searched.
 */
export const webhooks = `
create table unified.webhook_endpoints (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  url text not null,
  events text[] not null,
  entities text[] not null,
  "connectionIds" uuid[] not null,
  payload text not null check (payload in ('thin', 'full')),
  secret text not null,
  "previousSecret" text,
  "previousSecretExpiresAt" timestamptz,
  "inactiveReason" text check ("inactiveReason" in ('requested', 'failing', 'gone')),
  "failingSince" timestamptz,
  failures integer not null default 0,
  "pausedUntil" timestamptz,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index on unified.webhook_endpoints ("applicationId", id);

create table unified.webhook_positions (
  "endpointId" uuid not null references unified.webhook_endpoints on delete cascade,
  "connectionId" uuid not null references unified.connections on delete cascade,
  seq bigint not null,
  primary key ("endpointId", "connectionId")
);
create index on unified.webhook_positions ("connectionId");

create table unified.webhook_replays (
  id uuid primary key,
  "endpointId" uuid not null references unified.webhook_endpoints on delete cascade,
  "connectionId" uuid not null references unified.connections on delete cascade,
  seq bigint not null,
  "lastSeq" bigint not null,
  since timestamptz,
  until timestamptz
);
create index on unified.webhook_replays ("endpointId", id);
create index on unified.webhook_replays ("connectionId");

create table unified.webhook_events (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  "connectionId" uuid,
  type text not null,
  entity text,
  subject text not null,
  body text not null,
  at timestamptz not null
);
create index on unified.webhook_events ("applicationId", at);
create index on unified.webhook_events ("connectionId");

create table unified.webhook_deliveries (
  "endpointId" uuid not null references unified.webhook_endpoints on delete cascade,
  id uuid not null,
  place bigint not null generated always as identity,
  "eventId" uuid not null,
  type text not null,
  subject text not null,
  "connectionId" uuid,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  history jsonb not null default '[]',
  "nextAttemptAt" timestamptz,
  "firstAttemptAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  "deliveredAt" timestamptz,
  primary key ("endpointId", id)
);
create index on unified.webhook_deliveries ("endpointId", "eventId");
create index on unified.webhook_deliveries ("connectionId") where "connectionId" is not null;
create index webhook_deliveries_pending on unified.webhook_deliveries ("endpointId", place) where status = 'pending';
create index webhook_deliveries_queued on unified.webhook_deliveries ("endpointId", subject, place) where status = 'pending';
create index webhook_deliveries_failed on unified.webhook_deliveries ("endpointId", id) where status = 'failed';

alter table unified.connections add column "needsReauthSince" timestamptz;`;
