/** The version of the data API that an application has selected. */
export const apiVersion = `
alter table unified.applications
  add column "apiVersion" text not null default 'v4' check ("apiVersion" in ('v3', 'v4')),
  add column "updatedAt" timestamptz not null default now();
update unified.applications set "updatedAt" = "createdAt";`;
