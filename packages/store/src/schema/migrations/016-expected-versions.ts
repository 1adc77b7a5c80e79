/** Hashes of the versions of the record that a write accepts; null means any version. */
export const expectedVersions = `
alter table unified.writes add column "ifMatch" text[];
`;
