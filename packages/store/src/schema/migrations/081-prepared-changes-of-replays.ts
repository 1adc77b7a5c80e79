/**
 * Changes that had not been prepared for the endpoint when a replay was requested are sent in any case. `preparedSeq` is the last
 * one that had been.
 */
export const preparedChangesOfReplays = `
alter table unified.webhook_replays add column "preparedSeq" bigint;`;
