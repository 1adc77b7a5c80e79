/** The code of the error of a stream, and since when it is the same, for the health of connections. */
export const syncFailures = `
alter table unified.sync_streams add column "errorCode" text, add column "failingSince" timestamptz;`;
