/** Which custom fields can be written, and with what values; the next sync of a stream fills it in. */
export const writtenCustomFields = `
alter table unified.custom_fields
  add "isWritable" boolean not null default false,
  add "isRequired" boolean not null default false,
  add limits jsonb not null default '{}';`;
