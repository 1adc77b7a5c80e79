/** The kinds of requests that a token of a connection allows, when it was last used, and the token of each logged request. */
export const tokenScopes = `
alter table unified.connection_tokens
  add column scopes text[] not null default '{read,write}',
  add column "lastUsedAt" timestamptz;
alter table unified.request_log add column "tokenId" uuid;`;
