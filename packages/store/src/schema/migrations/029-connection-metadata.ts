/** Texts that an application keeps with each of its connections, by name. */
export const connectionMetadata = `
alter table unified.connections add column metadata jsonb not null default '{}';`;
