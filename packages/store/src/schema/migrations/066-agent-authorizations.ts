/**
 * Authorizations of agents by their users: requested in a browser, then granted with a personal access token, which ends them
 * when it is revoked. A code is kept after it was redeemed, so that its second use can be recognized.
 */
export const agentAuthorizations = `
create table unified.agent_authorizations (
  id uuid primary key,
  "clientId" text not null,
  "clientName" text not null,
  "redirectUri" text not null,
  challenge text not null,
  state text,
  browser text not null,
  "tokenId" uuid references unified.personal_access_tokens on delete cascade,
  code text,
  "codeExpiresAt" timestamptz,
  "redeemedAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null
);
create index on unified.agent_authorizations ("tokenId");
create index on unified.agent_authorizations ("expiresAt");
create unique index on unified.agent_authorizations (code);

create table unified.agent_refresh_tokens (
  hash text primary key,
  "authorizationId" uuid not null references unified.agent_authorizations on delete cascade,
  "usedAt" timestamptz
);
create index on unified.agent_refresh_tokens ("authorizationId");`;
