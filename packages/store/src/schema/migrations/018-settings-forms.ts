/** What applications store about their connections and about the end users of those connections. */
export const settingsForms = `
create table unified.settings_forms (
  "applicationId" uuid not null references unified.applications on delete cascade,
  id text not null,
  title text not null,
  schema json not null,
  "updatedAt" timestamptz not null default now(),
  primary key ("applicationId", id)
);

create table unified.embed_support_requests (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  "connectionId" uuid references unified.connections on delete set null,
  subject text not null,
  body text not null,
  status text not null default 'open' check (status in ('open', 'answered', 'closed')),
  "createdAt" timestamptz not null default now()
);
create index on unified.embed_support_requests ("applicationId", id);
create index on unified.embed_support_requests ("connectionId");

alter table unified.connections
  add column forms text[] not null default '{}',
  add column solutions text[] not null default '{}',
  add column "flowFolders" text[] not null default '{}';`;
