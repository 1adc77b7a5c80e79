/**
 * Unresolved references are stored with the entity and the field that they belong to. Earlier rows have neither; they
 * are replaced when their records are derived again.
 */
export const unresolvedFields = `
alter table unified.unresolved_references add column owner text not null default '', add column field text not null default '';
alter table unified.unresolved_references drop constraint if exists unresolved_references_pkey;
alter table unified.unresolved_references add primary key (connection_id, source, "idValue", owner, field, entity, by, value);
`;
