/**
 * Requests of applications, in one partition per day. Ids are UUIDs of version 7, so a range of ids is a range of times: no
 * column stores the time. Nothing refers to other tables, because each row would have to be checked.
 */
export const requestLog = `
create table unified.request_log (
  id uuid not null,
  "applicationId" uuid not null,
  "connectionId" uuid,
  "requestId" text not null,
  operation text,
  method text not null,
  path text not null,
  status smallint not null,
  milliseconds real not null,
  code text,
  primary key ("applicationId", id)
) partition by range (id);`;
