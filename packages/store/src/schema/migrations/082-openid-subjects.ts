/** The identity of an OpenID Connect provider that belongs to an operator: issuer and subject, separated by a space. */
export const openIdSubjects = `
alter table unified.operators add column "openIdSubject" text unique;`;
