export { signIn, type TestApplication } from './application.ts';
export type { CheckedResponse, Sent } from './checked-fetch.ts';
export { checkedFetch } from './checked-fetch.ts';
export { type ConnectionOptions, connect, type TestConnection } from './connection.ts';
export { checkAgainstDocument, checkEvent, operationAt } from './document-check.ts';
export { type McpUserOptions, mcpUser, type TestMcpUser } from './mcp-user.ts';
export { type SeedCounts, type Seeded, seed } from './seeded-records.ts';
export { type ApiOptions, api, type TestApi } from './test-api.ts';
export { database, type TestDatabase } from './test-database.ts';
