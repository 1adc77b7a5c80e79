/**
 * The custom fields of each connection with the types of their values, and the values of those that are indexed. These
 * are rows of a table, since the fields differ by connection, and tenants cannot use an index on an expression of a
 * `jsonb` column: row-level security keeps its operators from using one.
 */
export const customFields = `
create table unified.custom_fields (
  connection_id uuid not null,
  entity text not null,
  name text not null,
  place int not null,
  type text not null,
  "isIndexed" boolean not null,
  primary key (connection_id, entity, name)
);
create table unified.custom_values (
  connection_id uuid not null,
  entity text not null,
  id uuid not null,
  name text not null,
  text text,
  number numeric,
  time timestamptz,
  primary key (connection_id, entity, id, name)
);
create index custom_values_text on unified.custom_values (connection_id, entity, name, text, id) where text is not null;
create index custom_values_number on unified.custom_values (connection_id, entity, name, number, id) where number is not null;
create index custom_values_time on unified.custom_values (connection_id, entity, name, time, id) where time is not null;`;

export const customTables = ['custom_fields', 'custom_values'];
