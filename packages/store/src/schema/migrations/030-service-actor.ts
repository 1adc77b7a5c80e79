/** Adds the service as an actor, because it removes connections that were deleted 30 days ago. */
export const serviceActor = `
alter table unified.audit_entries drop constraint "audit_entries_actorType_check";
alter table unified.audit_entries add constraint "audit_entries_actorType_check"
  check ("actorType" in ('application', 'operator', 'end_user', 'service'));`;
