/** A request that is repeated with its key returns the record as in the first response. */
export const writtenRecords = `
alter table unified.writes add column "writtenRecord" json;
`;
