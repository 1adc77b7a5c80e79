/** How often a page has tried to open an embed session with a wrong token. */
export const embedAttempts = `
alter table unified.embed_sessions add column attempts integer not null default 0;`;
