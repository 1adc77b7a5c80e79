/**
 * The revision that was active before the active one. Null: not known, because it was activated by an earlier release. The version
 * is null while the connection had activated none.
 */
export const earlierMappings = `
alter table unified.active_field_mappings add column "revisionBefore" integer, add column "versionBefore" bigint;`;
