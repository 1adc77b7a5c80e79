/**
 * Revisions of the mappings of a connection, and the tables that it copies in addition to the streams of its platform.
 *
 * `mappingVersion` increases with each change of the active mappings. Its copy in the change cursor, which every transaction
 * that stores records locks, is compared with the version of the mappings that derived them; the copy in the connection is read
 * with the connection. `derivedVersion` is the last version by which all records were derived. `version` of an active mapping
 * is the version with which it was activated.
 */
export const fieldMappings = `
create table unified.field_mappings (
  connection_id uuid not null references unified.connections,
  entity text not null,
  revision int not null check (revision > 0),
  change json not null,
  note text,
  "createdBy" text,
  "createdAt" timestamptz not null default now(),
  primary key (connection_id, entity, revision)
);

create table unified.active_field_mappings (
  connection_id uuid not null references unified.connections,
  entity text not null,
  revision int not null,
  version bigint not null,
  "activatedAt" timestamptz not null default now(),
  primary key (connection_id, entity)
);

create table unified.custom_streams (
  connection_id uuid not null references unified.connections,
  name text not null,
  place int not null,
  stream json not null,
  primary key (connection_id, name)
);

alter table unified.change_cursors add column "mappingVersion" bigint not null default 0;
alter table unified.connections
  add column "mappingVersion" bigint not null default 0,
  add column "derivedVersion" bigint not null default 0;
create index connections_underived on unified.connections (id)
  where status = 'active' and "derivedVersion" <> "mappingVersion";`;

export const fieldMappingTables = ['field_mappings', 'active_field_mappings', 'custom_streams'];
