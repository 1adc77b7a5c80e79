/** A request that is repeated with its key returns the record as the first response contained it. */
export const writtenRecords = `
alter table unified.writes add column "writtenRecord" json;
`;
