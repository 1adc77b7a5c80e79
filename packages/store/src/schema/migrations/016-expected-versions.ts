/** The versions of the record of which a write expects one, as hashes; null: any. */
export const expectedVersions = `
alter table unified.writes add column "ifMatch" text[];
`;
