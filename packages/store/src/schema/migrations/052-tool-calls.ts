/** Calls of tools by MCP users, and how many calls were made in a period. */
export const toolCalls = `
create table unified.tool_calls (
  id uuid primary key,
  at timestamptz not null default date_trunc('milliseconds', now()),
  "applicationId" uuid not null references unified.applications on delete cascade,
  "endCustomerId" uuid not null references unified.end_customers on delete cascade,
  "userId" uuid not null,
  "tokenId" uuid not null,
  agent text,
  platform text not null,
  tool text not null,
  arguments json not null,
  decision text not null check (decision in ('allow', 'ask', 'deny')),
  rule text not null,
  "accessRequestId" uuid,
  "isError" boolean not null,
  code text,
  "writeId" uuid,
  milliseconds float8 not null
);
create index on unified.tool_calls ("endCustomerId", id);
create index on unified.tool_calls ("applicationId", id);

create table unified.tool_call_counts (
  counter text not null,
  period text not null,
  calls int not null,
  "endsAt" timestamptz not null,
  primary key (counter, period)
);
create index on unified.tool_call_counts ("endsAt");`;
