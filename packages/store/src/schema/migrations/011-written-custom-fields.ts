/** Which custom fields can be written, and with what values. The next sync of a stream adds this information. */
export const writtenCustomFields = `
alter table unified.custom_fields
  add "isWritable" boolean not null default false,
  add "isRequired" boolean not null default false,
  add limits jsonb not null default '{}';`;
