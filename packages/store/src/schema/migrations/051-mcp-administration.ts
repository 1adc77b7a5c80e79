/**
 * End customers whose users use MCP, and what they may do. Settings of an end customer that are set as a whole are columns of
 * its row; null if they were never set.
 */
export const mcpAdministration = `
create table unified.end_customers (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  name text not null,
  "externalId" text,
  platforms text[],
  rules json,
  "rulesUpdatedAt" timestamptz,
  guardrails json,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index on unified.end_customers ("applicationId", id);
create unique index end_customers_by_external_id on unified.end_customers ("applicationId", "externalId");

create table unified.mcp_roles (
  id uuid primary key,
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  "clientId" uuid not null,
  name text not null,
  slug text not null,
  description text not null,
  "isDefault" boolean not null,
  platforms json not null,
  "maskedFields" text[] not null,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create unique index mcp_roles_by_slug on unified.mcp_roles ("endCustomerId", slug);
create unique index mcp_roles_default on unified.mcp_roles ("endCustomerId") where "isDefault";

create table unified.mcp_users (
  id uuid primary key,
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  email text not null,
  name text,
  "roleId" uuid references unified.mcp_roles on delete set null,
  "isActive" boolean not null,
  "lastSeenAt" timestamptz,
  "createdAt" timestamptz not null default now()
);
create index on unified.mcp_users ("endCustomerId", id);
create index on unified.mcp_users ("roleId");
create unique index mcp_users_by_email on unified.mcp_users ("endCustomerId", lower(email));

create table unified.personal_access_tokens (
  id uuid primary key,
  "userId" uuid not null references unified.mcp_users on delete cascade,
  hash text not null,
  name text,
  hint text not null,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz,
  "lastUsedAt" timestamptz
);
create index on unified.personal_access_tokens ("userId", id);
create unique index on unified.personal_access_tokens (hash);

create table unified.company_credentials (
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  platform text not null,
  "connectionId" uuid not null references unified.connections on delete cascade,
  "updatedAt" timestamptz not null default now(),
  primary key ("endCustomerId", platform)
);
create index on unified.company_credentials ("connectionId");

create table unified.setup_links (
  id uuid primary key,
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  "clientId" uuid not null references unified.clients on delete cascade,
  platform text not null,
  hash text not null,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null,
  "usedAt" timestamptz,
  "connectionId" uuid references unified.connections on delete set null
);
create index on unified.setup_links ("endCustomerId", id);
create index on unified.setup_links ("clientId");
create index on unified.setup_links ("connectionId");
create unique index on unified.setup_links (hash);

create table unified.access_requests (
  id uuid primary key,
  "userId" uuid not null references unified.mcp_users on delete cascade,
  platform text not null,
  tool text not null,
  reason text,
  status text not null check (status in ('pending', 'approved', 'denied')),
  proposal json,
  "connectionId" uuid references unified.connections on delete cascade,
  expected text,
  approvals text[] not null default '{}',
  "requiredApprovals" int not null default 1,
  note text,
  "createdAt" timestamptz not null default now(),
  "decidedAt" timestamptz,
  "expiresAt" timestamptz,
  "startedAt" timestamptz,
  "executedAt" timestamptz,
  "writeId" uuid
);
create index on unified.access_requests ("userId", id);
create index on unified.access_requests ("connectionId");
create unique index access_requests_pending on unified.access_requests ("userId", platform, tool)
  where status = 'pending' and proposal is null;

create index connections_of_end_customers on unified.connections ("endCustomerId") where "endCustomerId" is not null;`;
