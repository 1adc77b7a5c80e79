/**
 * Files. A content is identified by its checksum, once per connection; its bytes are stored by its id, in chunks here
 * or in a bucket. `loose_contents` are bytes without a content: those that are still arriving, and those that will be
 * removed.
 */
export const contents = `
create table unified.contents (
  connection_id uuid not null,
  "contentId" uuid not null,
  sha256 text not null,
  "sizeBytes" bigint not null,
  "storedAt" timestamptz not null default now(),
  "checkedAt" timestamptz not null default now(),
  primary key (connection_id, sha256)
);
create index on unified.contents ("checkedAt");

create table unified.loose_contents (
  connection_id uuid not null,
  "contentId" uuid not null,
  since timestamptz not null default now(),
  primary key (connection_id, "contentId")
);
create index on unified.loose_contents (since);

create table unified.content_chunks (
  connection_id uuid not null,
  "contentId" uuid not null,
  n integer not null,
  bytes bytea not null,
  primary key (connection_id, "contentId", n)
);
alter table unified.content_chunks alter column bytes set storage external;`;

export const contentTables = ['contents', 'loose_contents', 'content_chunks'];
