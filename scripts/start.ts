// `npm start`: database, sandbox company, worker and server in one process, or the parts that `--role` names.
import { platformOf } from '@unified/connectors';
import { entities } from '@unified/contract';
import { createEngine, type Engine, startWorker } from '@unified/engine';
import { createLogger, createServer, type Server } from '@unified/server';
import { type Connection, page, type Store } from '@unified/store';
import { banner } from './start/banner.ts';
import { readConfiguration } from './start/configuration.ts';
import { firstSync } from './start/first-sync.ts';
import { type Database, openDatabase } from './start/open-database.ts';
import { step } from './start/progress.ts';
import { openSandbox } from './start/sandbox.ts';

const configuration = readConfiguration(process.argv.slice(2), process.env);
const { role, port, host, publicUrl, trustProxy } = configuration;
const log = createLogger(configuration.logLevel);

/** What runs, the last started first: the order in which it is stopped. */
const parts: { close(): Promise<void> }[] = [];
onSignal();

await start().catch((error: unknown) => giveUp(error, 'Start again when this is mended.'));

async function start(): Promise<void> {
  const database: Database = await openDatabase(configuration, (error) => log.warn({ err: error }, 'database')).catch(
    (error: unknown) => giveUp(error, 'Check DATABASE_URL, or what the message says of the embedded PostgreSQL.'),
  );
  const { store } = database;
  parts.unshift(database);

  const sandbox = configuration.sandbox
    ? await openSandbox(database, configuration).catch((error: unknown) =>
        giveUp(error, 'SANDBOX=off starts without the sandbox company.'),
      )
    : undefined;
  const engine = createEngine({ store, databaseUrl: database.url, log });
  parts.unshift(engine);

  if (role !== 'api') {
    const worker = await startWorker({ store, databaseUrl: database.url, log });
    parts.unshift({ close: () => worker.stop() });
  }
  let server: Server | undefined;
  if (role !== 'worker') {
    server = await createServer({ store, engine, logger: log, publicUrl, port, host, trustProxy }).catch(
      (error: unknown) => giveUp(error, 'Choose another port with PORT, or another address with HOST.'),
    );
    parts.unshift(server);
  }
  if (sandbox?.isNew) await engine.requestSync(sandbox.connection.id, 'full');
  if (sandbox && role === 'all') await readyToTry(engine, store, sandbox.connection);
  if (role === 'worker') step('the worker is running');
  else process.stdout.write(banner(publicUrl, sandbox?.file.connections[0]?.token));
  await server?.warm();
}

/** The first page of vendors comes as soon as they are copied; the rest follows while people try it. */
async function readyToTry(engine: Engine, store: Store, { id, applicationId, platform }: Connection): Promise<void> {
  const scope = store.scope({ connectionId: id, applicationId });
  const { count } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 1 });
  if (count === 0) await firstSync(engine, scope, platformOf(platform), 'Vendor');
}

function onSignal(): void {
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (ending) return;
      ending = true;
      step('stopping');
      void end(0);
    });
  }
}

async function end(code: number): Promise<never> {
  for (const part of parts) {
    await part.close().catch((error: unknown) => log.error({ err: error }, 'stopping failed'));
  }
  process.exit(code);
}

async function giveUp(error: unknown, advice: string): Promise<never> {
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : error}\n  ${advice}\n`);
  return end(1);
}
