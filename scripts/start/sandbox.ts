import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seedSandbox } from '@unified/sandbox';
import {
  applicationSecret,
  type Connection,
  connectionByToken,
  createApplication,
  createConnection,
  issueConnectionToken,
  listApplications,
  listConnections,
  replaceSettings,
} from '@unified/store';
import type { Database } from './open-database.ts';
import { writePrivateFile } from './private-file.ts';
import { timed } from './progress.ts';

const APPLICATION = 'Sandbox';
const DATABASE = 'sandbox_company';

/** Content of `sandbox.json`: everything that a program needs to try the API. */
export interface SandboxFile {
  readonly apiRoot: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly connections: readonly { readonly id: string; readonly platform: string; readonly token: string }[];
  /**
   * Settings of the company, to connect it again. Absent unless its database is embedded, because other databases have their own
   * credentials.
   */
  readonly database?: { readonly url: string; readonly schema: string };
}

/**
 * Ensures that the sandbox company exists and is connected, and that `sandbox.json` describes how to reach it. `isNew` is
 * whether it was just created, possibly replacing an older one, so that everything must be read.
 */
export async function openSandbox(database: Database, dataDir: string) {
  const settings = { url: await database.databaseNamed(DATABASE), schema: 'company', allowPrivateHosts: true };
  const isNew = await timed('opening the sandbox company', () => seedSandbox(settings));
  const connection = await sandboxConnection(database, settings);
  const { url, schema } = settings;
  const path = join(dataDir, 'sandbox.json');
  const file = await sandboxFile(database, connection, path, database.isEmbedded ? { url, schema } : undefined);
  return { connection, file, path, isNew };
}

async function sandboxConnection({ store }: Database, settings: Record<string, string | boolean>): Promise<Connection> {
  const application =
    (await listApplications(store)).find(({ name }) => name === APPLICATION) ??
    (await createApplication(store, APPLICATION));
  const known = (await listConnections(store, application.id)).find(({ platform }) => platform === 'sandbox');
  if (!known) {
    const name = 'Sandbox company';
    return createConnection(store, { applicationId: application.id, platform: 'sandbox', name, settings });
  }
  // The embedded PostgreSQL may have started on another port.
  await replaceSettings(store, known.id, settings);
  return known;
}

/** Keeps the token of an earlier start while it is valid; tokens are stored as hashes, so only the file contains it. */
async function sandboxFile(
  { store }: Database,
  connection: Connection,
  path: string,
  company: SandboxFile['database'],
): Promise<SandboxFile> {
  const before = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as SandboxFile,
    () => undefined,
  );
  const kept = before?.connections.find(({ id }) => id === connection.id)?.token ?? '';
  const holder = await connectionByToken(store, kept);
  const token =
    holder?.connectionId === connection.id
      ? kept
      : (await issueConnectionToken(store, { connectionId: connection.id, name: 'sandbox.json' })).token;
  const file: SandboxFile = {
    apiRoot: store.publicUrl,
    clientId: connection.applicationId,
    clientSecret: (await applicationSecret(store, connection.applicationId)) ?? '',
    connections: [{ id: connection.id, platform: connection.platform, token }],
    ...(company && { database: company }),
  };
  await writePrivateFile(path, file);
  return file;
}
