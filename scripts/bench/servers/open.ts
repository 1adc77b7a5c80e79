// The whole server of `ours.ts` without credentials and limits: every request is that of one connection.
import { entities } from '@unified/contract';
import { createEngine } from '@unified/engine';
import { createLogger, createServer } from '@unified/server';
import { connectionById, openStore } from '@unified/store';
import { manyOperations } from '../many-operations.ts';

const { DATABASE_URL: databaseUrl = '', CONNECTION_ID: connectionId = '', OPERATIONS } = process.env;
const publicUrl = 'http://localhost:4000';
const store = await openStore({ databaseUrl, publicUrl, entities });
const logger = createLogger('warn');
const connection = await connectionById(store, connectionId);
if (!connection) throw new Error(`There is no connection ${connectionId}.`);
const { applicationId, platform, status } = connection;
const principal = {
  ...({ credential: 'connectionToken', connectionId, applicationId, platform, status } as const),
  ...{ tokenId: '', expiresAt: null, access: null },
};
const authorization = { headers: [], principal };
const server = await createServer({
  store,
  engine: createEngine({ store, databaseUrl, log: logger }),
  contract: manyOperations(Number(OPERATIONS)),
  logger,
  publicUrl,
  port: 0,
  authorize: async () => authorization,
});
await server.warm();
process.send?.({ port: Number(new URL(server.url).port) });
