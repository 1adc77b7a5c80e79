// The whole server of `ours.ts`, with its request log, but without credentials and limits: every request is for the same
// connection.
import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { createLogger } from '@unified/server';
import { connectionById, DEFAULT_SCOPES, openStore } from '@unified/store';
import { memoryRateLimiter } from '../../../packages/server/src/http/authorization/rate-limits.ts';
import { assembleApp } from '../../../packages/server/src/http/create-app.ts';
import { listen } from '../../../packages/server/src/http/create-server.ts';
import { createAccessTokens } from '../../../packages/server/src/oauth/access-tokens.ts';
import { manyOperations } from '../many-operations.ts';

const { DATABASE_URL: databaseUrl = '', CONNECTION_ID: connectionId = '', OPERATIONS } = process.env;
const publicUrl = 'http://localhost:4000';
const store = await openStore({ databaseUrl, publicUrl, entities });
const logger = createLogger('warn');
const connection = await connectionById(store, connectionId);
if (!connection) throw new Error(`There is no connection ${connectionId}.`);
const { applicationId, platform, mappingVersion, status } = connection;
const principal = {
  ...({ credential: 'connectionToken', connectionId, applicationId, platform, mappingVersion, status } as const),
  ...{ tokenId: connectionId, expiresAt: null, scopes: DEFAULT_SCOPES, access: null },
};
const authorization = { headers: [], principal, sender: principal };
const options = {
  store,
  engine: createEngine({ store, databaseUrl, log: logger }),
  contract: manyOperations(Number(OPERATIONS)),
  logger,
  publicUrl,
};
const deciding = {
  accessTokens: createAccessTokens(store, publicUrl),
  limiter: memoryRateLimiter(),
  authorizer: { authorize: async () => authorization, recheck: async () => {} },
};
const server = await listen((closing) => assembleApp(options, deciding, closing), { port: 0 });
process.send?.({ port: Number(new URL(server.url).port) });
