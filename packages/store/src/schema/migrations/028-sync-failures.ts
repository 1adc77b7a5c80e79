/** The error code of a stream, and since when it has been the same, for the health of connections. */
export const syncFailures = `
alter table unified.sync_streams add column "errorCode" text, add column "failingSince" timestamptz;`;
