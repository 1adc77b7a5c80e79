// `npm run connect -- <platform> …`: connects a running system from the command line.
import { type Json, openDriver, type Platform, SystemError } from '@unified/connectors';
import { createEngine } from '@unified/engine';
import { createLogger } from '@unified/server';
import {
  createApplication,
  createConnection,
  issueConnectionToken,
  listApplications,
  type Store,
} from '@unified/store';
import { type Arguments, readArguments, settingsOf, UsageError } from './connect/arguments.ts';
import { askSecret } from './connect/ask-secret.ts';
import { readConfiguration } from './start/configuration.ts';
import { openDatabase } from './start/open-database.ts';
import { step } from './start/progress.ts';

try {
  await connect(readArguments(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
}

async function connect(given: Arguments): Promise<void> {
  const { platform, name } = given;
  const settings = await withSecrets(given);
  step(`checking ${platform.name}`);
  await check(platform, settings);
  const configuration = readConfiguration([], process.env);
  const log = createLogger('warn');
  const database = await openDatabase(configuration, (error) => log.warn({ err: error }, 'database'));
  const engine = createEngine({ store: database.store, databaseUrl: database.url, log });
  try {
    const application = await applicationNamed(database.store, given.application);
    const connection = await createConnection(database.store, {
      applicationId: application.id,
      platform: platform.id,
      name,
      settings,
    });
    const { token } = await issueConnectionToken(database.store, { connectionId: connection.id, name: 'connect' });
    await engine.requestSync(connection.id, 'full');
    process.stdout.write(next(platform, connection.id, token, configuration.publicUrl));
  } finally {
    await engine.close();
    await database.close();
  }
}

/** Asks for the secrets that the command line does not hold: it is seen by others and kept in histories. */
async function withSecrets({ platform, settings }: Arguments): Promise<Record<string, Json>> {
  const complete: Record<string, Json> = { ...settings };
  for (const name of platform.secrets) {
    complete[name] ??= await askSecret(settingsOf(platform).get(name)?.title ?? name);
  }
  return complete;
}

async function check(platform: Platform, settings: Record<string, Json>): Promise<void> {
  const driver = openDriver(platform, settings);
  try {
    await driver.check();
  } finally {
    await driver.close();
  }
}

async function applicationNamed(store: Store, name: string) {
  const known = (await listApplications(store)).find((application) => application.name === name);
  return known ?? createApplication(store, name);
}

function next(platform: Platform, connectionId: string, token: string, publicUrl: string): string {
  return `
Connected ${platform.name} as connection ${connectionId}.
A running server copies its records now; otherwise the next \`npm start\` does.

The token of the connection is shown only here:

  ${token}

Try it:

  curl -sS -H 'Authorization: Bearer ${token}' '${publicUrl}/v4/vendors?per_page=3'
`;
}

function describe(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof SystemError)
    return `✗ The system answered: ${error.words}\n  Check the settings and that it runs.`;
  return `✗ ${error instanceof Error ? error.message : error}`;
}
