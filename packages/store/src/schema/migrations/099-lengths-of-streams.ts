/**
 * How long the last pass over a stream in each mode took, instead of the last run of its connection: the next run may read other
 * streams. Null: not known.
 */
export const lengthsOfStreams = `
alter table unified.sync_streams add column "fullSeconds" real, add column "changesSeconds" real;
alter table unified.connections drop column "fullSyncSeconds", drop column "changesSyncSeconds";`;
