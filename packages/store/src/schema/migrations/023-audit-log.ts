/**
 * Who made a change, with which request, and the object before and after it. Entries without an application concern all
 * applications. Entries of earlier releases were made by clients, or by operators whose name was not stored. Times are stored
 * as they are shown, in milliseconds.
 */
export const auditLog = `
alter table unified.audit_entries
  alter column "applicationId" drop not null,
  alter column at set default date_trunc('milliseconds', now()),
  add column "actorType" text not null default 'application' check ("actorType" in ('application', 'operator', 'end_user')),
  add column operation text,
  add column "requestId" text,
  add column address text,
  add column before json,
  add column after json;
update unified.audit_entries set at = date_trunc('milliseconds', at);
update unified.audit_entries set "actorType" = 'operator' where actor = 'operator';
update unified.audit_entries set "actorType" = 'end_user' where action = 'connection.authorize';
alter table unified.audit_entries alter column "actorType" drop default;
create index on unified.audit_entries ("applicationId", target, id);`;
