/** What a token of a connection gives access to; null means everything. */
export const tokenAccess = `alter table unified.connection_tokens add column access jsonb;`;
