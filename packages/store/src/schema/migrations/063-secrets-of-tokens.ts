/** The secret with which a client last obtained the tokens of a family. Null: an operator, a code, or an earlier version. */
export const secretsOfTokens = `
alter table unified.token_families add column "secretId" uuid;`;
