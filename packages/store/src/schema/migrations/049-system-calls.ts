/**
 * Calls to connected systems, in one partition per day, as the request log. `message` is the text of a failure that clients may
 * see. The start of the run is that of the event `sync.completed` or `sync.failed`.
 */
export const systemCalls = `
create table unified.system_calls (
  id uuid not null,
  "applicationId" uuid not null,
  "connectionId" uuid not null,
  purpose text not null,
  stream text,
  "writeId" uuid,
  "syncStartedAt" timestamptz,
  milliseconds real not null,
  outcome text not null,
  message text,
  primary key ("applicationId", id)
) partition by range (id);
create index on unified.system_calls ("applicationId", "writeId") where "writeId" is not null;`;
