/**
 * What an end user has allowed is stored with the code (`pending`, encrypted) until the application redeems it. Connections
 * have a keyed hash of the identity of their system, null if it is not known yet.
 */
export const pendingConnections = `
alter table unified.authorization_codes
  alter column "connectionId" drop not null,
  add column pending text,
  add column "isConnectionNew" boolean not null default false;
create index on unified.authorization_codes ("expiresAt") where pending is not null;

alter table unified.connections add column "systemHash" text;
create index on unified.connections ("applicationId", "systemHash");`;
