/**
 * Data mappings: pairs of ids of records and values of an application, by entity. The pairs of a client are separate from the
 * shared ones, whose `clientId` is null. Values are compared as bytes, so that pages have the same order in every database.
 */
export const dataMappings = `
create table unified.data_mappings (
  connection_id uuid not null references unified.connections,
  id uuid not null,
  entity text not null,
  cardinality text not null check (cardinality in ('one_to_one', 'one_to_many', 'many_to_many')),
  "createdAt" timestamptz not null default now(),
  primary key (connection_id, id)
);
create unique index data_mappings_by_entity on unified.data_mappings (connection_id, entity);

create table unified.data_mapping_pairs (
  connection_id uuid not null,
  "mappingId" uuid not null,
  "clientId" uuid,
  "serviceId" uuid not null,
  "externalValue" text collate "C" not null,
  unique nulls not distinct (connection_id, "mappingId", "clientId", "serviceId", "externalValue")
);
create index data_mapping_pairs_by_value on unified.data_mapping_pairs (connection_id, "mappingId", "externalValue");`;

export const mappingTables = ['data_mappings', 'data_mapping_pairs'];
