/**
 * How long the last run of a connection in each mode took, by which a worker knows long runs at their start. Connections that have
 * been read count as short until their next run.
 */
export const lengthsOfSyncs = `
alter table unified.connections add column "fullSyncSeconds" integer, add column "changesSyncSeconds" integer;
update unified.connections set "fullSyncSeconds" = 0
 where id in (select connection_id from unified.sync_streams where "lastSuccessAt" is not null);`;
