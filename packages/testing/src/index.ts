export { type ApiOptions, api, type TestApi } from './api.ts';
export type { CheckedResponse, Sent } from './checked-fetch.ts';
export { checkedFetch } from './checked-fetch.ts';
export { type ConnectionOptions, connect, type TestConnection } from './connection.ts';
export { database, type TestDatabase } from './database.ts';
export { checkAgainstDocument, operationAt } from './document-check.ts';
export { type SeedCounts, type Seeded, seed } from './seed.ts';
