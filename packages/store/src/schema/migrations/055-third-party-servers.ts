/** MCP servers of third parties. `tools` are those that were read last, each with the hash that was approved. */
export const thirdPartyServers = `
create table unified.third_party_servers (
  id uuid primary key,
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  name text not null,
  prefix text not null,
  url text not null,
  headers text,
  "isActive" boolean not null,
  tools json not null,
  problem text,
  "readAt" timestamptz not null,
  "createdAt" timestamptz not null default now()
);
create index on unified.third_party_servers ("endCustomerId", id);
create unique index third_party_servers_by_name on unified.third_party_servers ("endCustomerId", lower(name));
create unique index third_party_servers_by_prefix on unified.third_party_servers ("endCustomerId", prefix);`;
