/**
 * Events that were waiting when a replay was requested are not sent a second time. `replayId` is the replay that stored a
 * delivery.
 */
export const replaysOfWaitingEvents = `
alter table unified.webhook_replays add column "waitingIds" uuid[] not null default '{}';
alter table unified.webhook_deliveries add column "replayId" uuid;
create index webhook_deliveries_replayed on unified.webhook_deliveries ("replayId", subject) where "replayId" is not null;`;
