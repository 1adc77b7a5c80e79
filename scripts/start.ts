// `npm start`: database, sandbox company, worker and server in one process, or the parts that `--role` names.
import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import { allSystems, createEngine, platformIn, sharedQuotas, startWorker, type Worker } from '@unified/engine';
import { addSandboxPlatform } from '@unified/sandbox';
import {
  createLogger,
  createServer,
  databaseRateLimiter,
  openIdProvider,
  type Readiness,
  redisRateLimiter,
  type Server,
  type SharedRateLimiter,
} from '@unified/server';
import {
  AddressConflict,
  type Connection,
  DataDirectoryError,
  hasConnections,
  MasterKeyError,
  type ReplicaOptions,
  type ReplicaState,
  type Scope,
  type Store,
  watchDatabase,
} from '@unified/store';
import { flushTraces } from '@unified/tracing';
import { banner } from './start/banner.ts';
import { checkPort, PortProblem } from './start/check-port.ts';
import { isOpen, readConfiguration } from './start/configuration.ts';
import { createFirstApplication } from './start/first-application.ts';
import { firstOperatorLink } from './start/first-operator.ts';
import { firstPage, hasFirstPage } from './start/first-page.ts';
import { logConsole } from './start/log-console.ts';
import { type Database, openDatabase } from './start/open-database.ts';
import { openOperatorPort } from './start/operator-port.ts';
import { step } from './start/progress.ts';
import { reportBrokenPlatforms } from './start/report-broken.ts';
import { reportFirstCopies } from './start/report-copies.ts';
import { openSandbox } from './start/sandbox.ts';
import { useTracing } from './start/tracing.ts';
import { watchPlatforms } from './start/watch-platforms.ts';

const configuration = readConfiguration(process.argv.slice(2), process.env);
const { role, port, host, trustProxy, drainMs, rateLimits, redisUrl, largestResponse, mcpCallsPerMonth, openId } =
  configuration;
const log = createLogger(configuration.logLevel);
logConsole(log);
// Needed even without the sandbox company, because connections to it may exist from earlier starts.
addSandboxPlatform();

const CHECK_DATABASE = 'Check DATABASE_URL or, with the embedded PostgreSQL, the cause in the message.';
const MASTER_KEY = 'Check MASTER_KEY_COMMAND, UNIFIED_KEY or, without these, the file `key` in DATA_DIR.';
const ONE_ADDRESS = `Start it without PUBLIC_URL or with the stored address, or stop the other processes first to change it.`;

/** The running parts, in the order in which they are stopped: the last one started comes first. */
const parts: { close(): Promise<void> }[] = [];
const stopping = new AbortController();
/** Called when this process begins to wait until load balancers send requests elsewhere. */
let beginDrain = () => {};
/** Aborts when this process no longer serves requests, which may be later than the signal to stop. */
const closing = new AbortController();
/** Aborts at the second signal to stop. */
const secondSignal = new AbortController();
let isStarted = false;
let ending: Promise<never> | undefined;
onSignal();

await useTracing(configuration.tracing).catch((error: unknown) =>
  giveUp(error, 'TRACING names a module that registers an SDK.'),
);
await start().catch((error: unknown) => giveUp(error, 'Start again once this is fixed.'));

async function start(): Promise<void> {
  await checkPorts().catch((error: unknown) => giveUp(error, remedyOf(error)));
  const database: Database = await openDatabase(
    { ...configuration, replicas: readReplicas(), meanwhile: loadSandboxPlatform },
    (error) => log.warn({ err: error }, 'database'),
    (error) => void giveUp(error, 'Start this process again, so that its links begin with the new address.'),
  ).catch((error: unknown) => giveUp(error, remedyOf(error)));
  const { store } = database;
  const { publicUrl } = store;
  parts.unshift(database);
  closing.signal.addEventListener('abort', () => database.beginStop());
  const watch = watchDatabase({
    databaseUrl: database.url,
    limitMs: configuration.databaseLostMs,
    onLost: (error) => void endSoon(error),
  });
  parts.unshift({ close: async () => watch.close() });

  const sandbox = configuration.sandbox
    ? await openSandbox(database, configuration.dataDir).catch((error: unknown) =>
        giveUp(error, 'SANDBOX=off starts without the sandbox company.'),
      )
    : undefined;
  const credentials = sandbox ? undefined : await createFirstApplication(store, configuration.dataDir);
  if (credentials) step(`created the first application: its client id and secret are in ${credentials}`);
  const operator = await openOperatorPort(configuration.operator, store, { log, stateOf: () => state() });
  if (operator) parts.push(operator);
  const { countCall: onCall, countAttempt: onAttempt } = operator?.metrics ?? {};
  const systems = { ...allSystems, isOffered: (id: string) => id !== 'sandbox' || configuration.sandbox };
  const quotas = sharedQuotas(store);
  parts.unshift(quotas);
  const engine = createEngine({ store, databaseUrl: database.url, log, systems, quotas, onCall });
  parts.unshift(engine);

  parts.unshift(watchPlatforms(log, step));
  let server: Server | undefined;
  if (role !== 'worker') {
    const listening = { port, host, trustProxy };
    const limiter = await sharedLimiter(store);
    server = await createServer({
      store,
      engine,
      logger: log,
      publicUrl,
      rateLimits,
      largestResponse,
      mcpCallsPerMonth,
      openIdProvider: openId && openIdProvider(openId, publicUrl),
      onServed: operator?.metrics.countRequest,
      limiter,
      ...listening,
    }).catch((error: unknown) => giveUp(error, 'Choose another port with PORT, or another address with HOST.'));
    parts.unshift(server);
    beginDrain = server.beginDrain;
  }
  let worker: Promise<Worker> | undefined;
  const work = async () => {
    if (stopping.signal.aborted) return;
    if (role !== 'api') worker = startWorker({ store, databaseUrl: database.url, log, quotas, onCall, onAttempt });
    await worker;
    isStarted = true;
  };
  // Stopped after the server, because requests wait for writes. If it did not start, `start` reports why.
  parts.splice(server ? 1 : 0, 0, { close: async () => (await worker?.catch(() => undefined))?.stop() });
  if (sandbox?.isNew) await engine.requestSync(sandbox.connection.id, 'full');
  const copy = sandbox && role === 'all' ? copyOf(sandbox.connection, store) : undefined;
  // Starting the worker, and the jobs that are due, would delay a server that can respond without them.
  const canRespond = server && (!copy || (await hasFirstPage(copy, entities.Vendor)));
  if (!canRespond) await work();
  // The rest is prepared in the background.
  if (copy && !canRespond) await firstPage(engine, copy, entities.Vendor);
  if (server) {
    const { port: listening } = new URL(server.url);
    const firstOperator = await firstOperatorLink(store);
    const reach = { host, port: Number(listening), isOpen: isOpen(host) };
    const isConnected = await hasConnections(store);
    process.stdout.write(banner({ publicUrl, ...reach, sandbox: tokenOf(sandbox), isConnected, firstOperator }));
  } else step('the worker is running');
  if (canRespond) await work();
  const unlessStopping = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, message);
  };
  reportBrokenPlatforms(store, stopping.signal).catch(unlessStopping('the platforms were not checked'));
  if (role !== 'api')
    reportFirstCopies(engine, store, stopping.signal).catch(
      unlessStopping('the progress of the first copy is unknown'),
    );
}

/** The token of the sandbox company, and the file that contains it. */
function tokenOf(sandbox: Awaited<ReturnType<typeof openSandbox>> | undefined) {
  return sandbox && { token: sandbox.file.connections[0]?.token ?? '', file: sandbox.path };
}

/** The first job would block the server while it loads the platform. If it cannot be used, those that need it report why. */
function loadSandboxPlatform(): void {
  if (configuration.sandbox) platformIn(allSystems, 'sandbox');
}

function copyOf({ id: connectionId, applicationId }: Connection, store: Store): Scope {
  return store.scope({ connectionId, applicationId });
}

function state(): Readiness['process'] {
  if (stopping.signal.aborted) return 'stopping';
  return isStarted ? 'running' : 'starting';
}

/** A worker reads only what it has just written. */
function readReplicas(): ReplicaOptions {
  const { urls, maxLagMs } = configuration.replicas;
  return { urls: role === 'worker' ? [] : urls, maxLagMs, onState: reportReplica };
}

function reportReplica({ number, problem }: ReplicaState): void {
  if (problem === undefined) step(`records are read from replica ${number}`);
  else log.warn({ replica: number, problem }, 'this replica is not used; the primary serves its reads');
}

/** Checks the ports of this process before anything is prepared. */
async function checkPorts(): Promise<void> {
  const { operator } = configuration;
  if (role !== 'worker') await checkPort({ setting: 'PORT', host, port });
  if (operator) await checkPort({ setting: 'OPERATOR_PORT', ...operator });
}

/** What to do when a port or the database cannot be opened. */
function remedyOf(error: unknown): string {
  if (error instanceof PortProblem) return error.remedy;
  if (error instanceof AddressConflict) return ONE_ADDRESS;
  if (error instanceof DataDirectoryError) return error.remedy;
  return error instanceof MasterKeyError ? MASTER_KEY : CHECK_DATABASE;
}

/** Counts the requests of all processes. */
async function sharedLimiter(store: Store): Promise<SharedRateLimiter> {
  const limiter = redisUrl === undefined ? databaseRateLimiter(store, log) : await redisRateLimiter(redisUrl, log);
  parts.unshift(limiter);
  return limiter;
}

function onSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) return secondSignal.abort();
      step('stopping');
      void end(0);
    });
  }
}

/** Closes the parts, then exits. Repeated calls, such as for errors while closing, wait for the first. */
async function end(code: number): Promise<never> {
  ending ??= close(code);
  return ending;
}

async function close(code: number): Promise<never> {
  stopping.abort();
  if (code === 0 && isStarted && role !== 'worker') await drain();
  closing.abort();
  for (const part of parts) {
    await part.close().catch((error: unknown) => log.error({ err: error }, 'stopping failed'));
  }
  await flushTraces().catch((error: unknown) => log.warn({ err: error }, 'the last spans were not sent'));
  process.exit(code);
}

/** Serves requests until load balancers have noticed that this process is not ready, or a second signal arrives. */
async function drain(): Promise<void> {
  if (drainMs === 0) return;
  beginDrain();
  step(`serving requests for ${drainMs / 1000} seconds until load balancers use other servers`);
  // The wait rejects only when it is aborted.
  await pause(drainMs, undefined, { signal: secondSignal.signal }).catch(() => {});
}

/** Without a database, some parts may wait for it before they stop. */
async function endSoon(error: Error): Promise<never> {
  setTimeout(() => process.exit(1), 10_000).unref();
  return giveUp(error, 'Start the database, or free the resources that it lacks. Then start again.');
}

async function giveUp(error: unknown, advice: string): Promise<never> {
  if (stopping.signal.aborted) return end(1);
  process.stderr.write(`\n✗ ${error instanceof Error ? error.message : error}\n  ${advice}\n`);
  return end(1);
}
