import { resolve } from 'node:path';
import { parsePrivateHosts, type S3Settings, s3Settings } from '@unified/connectors';
import { isIssuer, type OpenIdSettings, parseRateLimits, type RateLimits } from '@unified/server';
import type { ReplicaOptions, WantedAddress } from '@unified/store';
import { readFlags, textOf, wantsHelp } from '../command-line/flags.ts';

export type Role = 'api' | 'worker' | 'all';

/** Addresses that only this machine can reach. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i;

/** Whether other machines can reach a server that listens on this address. */
export function isOpen(host: string): boolean {
  return !LOOPBACK.test(host);
}

/** Settings from the environment and the command line. */
export interface Configuration {
  readonly role: Role;
  readonly port: number;
  readonly host: string;
  /** Where metrics and checks for load balancers are served; absent: nowhere. */
  readonly operator: { readonly port: number; readonly host: string } | undefined;
  /** Milliseconds for which requests are served after the signal to stop, while the process is reported as not ready. */
  readonly drainMs: number;
  /** Path of a module that registers an OpenTelemetry SDK; absent: spans are created only if one is registered already. */
  readonly tracing: string | undefined;
  /** The address under which this process would be reached; the effective one is determined when the database is opened. */
  readonly address: WantedAddress;
  readonly dataDir: string;
  /** If absent, an embedded PostgreSQL is started. */
  readonly databaseUrl: string | undefined;
  /** Replicas of the database on which an API process reads records. */
  readonly replicas: Pick<ReplicaOptions, 'urls' | 'maxLagMs'>;
  /** Milliseconds without a database after which the process exits. */
  readonly databaseLostMs: number;
  /** Master key of stored credentials, base64 or hex. Defaults to a key file in `dataDir`. */
  readonly key: string | undefined;
  /** Command that prints the master key, and is used instead of `key`. */
  readonly keyCommand: string | undefined;
  /** If absent, files are stored in the database. */
  readonly bucket: S3Settings | undefined;
  readonly sandbox: boolean;
  readonly trustProxy: boolean;
  /** Requests per minute of each surface, if they differ from the defaults. */
  readonly rateLimits: RateLimits | undefined;
  /** Redis in which requests are counted. If absent, processes exchange their counts through the database. */
  readonly redisUrl: string | undefined;
  /** The OpenID Connect provider with which operators can sign in. */
  readonly openId: OpenIdSettings | undefined;
  /** Maximum number of bytes of one response of the data API. */
  readonly largestResponse: number;
  /** Calls of tools per application and calendar month. If absent, unlimited. */
  readonly mcpCallsPerMonth: number | undefined;
  readonly logLevel: string;
}

const HELP = `Starts the server.

  npm start [-- options]

Options
  --role api|worker|all   what this process does; \`all\` by default. Any number of api and worker processes can share one
                          PostgreSQL. Set DATABASE_URL for processes on several machines; the embedded PostgreSQL serves
                          only processes on this one.
  --help                  this text

Environment
  PORT            port of the server                                                     4000
  HOST            address to listen on; 0.0.0.0 lets other machines reach the server     127.0.0.1
  OPERATOR_PORT   port of /livez, /readyz and /metrics, for load balancers and Prometheus; without it, they are not served
  OPERATOR_HOST   address on which this port listens; keep it private                    127.0.0.1
  DRAIN_SECONDS   seconds for which requests are served after SIGTERM while /readyz returns 503, up to 600. Set it to
                  longer than load balancers take to notice                              0
  TRACING         path of a module that registers an OpenTelemetry SDK; requests, writes and syncs are then traced
  PUBLIC_URL      address at which clients reach the server; links in records begin with it. It is stored. To change it,
                  stop all processes and start one with another PUBLIC_URL. Until it is set, the address is
                  http://localhost:PORT of the server that was last started alone
  DATA_DIR        embedded PostgreSQL, key file, sandbox.json or application.json        .data
  DATABASE_URL    PostgreSQL 15 to 18, instead of the embedded one
  DATABASE_REPLICA_URLS   its streaming replicas, separated by commas, with the same user; lists, records and queries are read
                  there. A read that sends the Data-Position of an earlier response includes that response's changes; other
                  reads can be up to REPLICA_MAX_LAG_SECONDS old. Each URL must lead to exactly one server, not to a load
                  balancer or a reader endpoint that chooses among several. Without it, DATABASE_URL serves all reads
  REPLICA_MAX_LAG_SECONDS   seconds by which a replica may lag; one that lags more is not used   5
  DATABASE_LOST_AFTER   seconds after which a process that cannot reach its database exits   300
  UNIFIED_KEY     master key of stored credentials: 32 bytes as base64 or hex             DATA_DIR/key
  MASTER_KEY_COMMAND    command that prints this key, used instead of UNIFIED_KEY: a program and its arguments, separated by
                  spaces. It runs once at startup, without a shell, for at most 30 seconds
  BLOB_STORE      where files are stored: \`postgres\`, or \`s3://bucket/prefix\`. Choose it before the first file is
                  stored: files are not moved when it changes                            postgres
                  A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; S3_ENDPOINT unless it is at AWS, addressed
                  by path; AWS_REGION unless it is us-east-1; AWS_SESSION_TOKEN with temporary credentials
  SANDBOX         \`off\` starts without the sandbox company                               on
  TRUST_PROXY     \`on\` if a reverse proxy sets X-Forwarded-For                           off
  REQUESTS_PER_MINUTE   requests per minute: data, management and mcp for each application, console for each session of the
                  console, token for requests for OAuth tokens from each IP address. Omitted names keep their defaults:
                  data=600,management=120,mcp=300,console=600,token=60
  LARGEST_RESPONSE      maximum size of a data API response in megabytes                  16
  MCP_CALLS_PER_MONTH   tool calls by agents that an application may make per calendar month; unlimited without it
  REDIS_URL       Redis that counts the requests to all processes exactly, such as redis://host:6379/0, or rediss:// for TLS.
                  While it cannot be reached, each process counts separately. Without it, processes exchange their counts
                  through the database
  OPENID_ISSUER   address of an OpenID Connect provider with which operators can sign in to the console, such as
                  https://login.example.com; register PUBLIC_URL/console/openid there as the redirect URI
  OPENID_CLIENT_ID, OPENID_CLIENT_SECRET   id and secret of this service at the provider; without a secret, it is a public client
  OPENID_NAME     name of the provider on the sign-in page                               host of the issuer
  OPENID_TRUST_EMAIL   \`on\` accepts email addresses that the provider does not report as verified. Only for a provider
                  at which people cannot choose their address                            off
  LOG_LEVEL       error, warn, info or debug                                             warn
  ALLOW_PRIVATE_HOSTS   host names, IP addresses and networks that connections and webhooks may reach in addition to public
                  addresses, separated by commas; * allows all
  FILES_FOLDER    folder that contains the folders with CSV and XLSX files that connections may read; without it, they may
                  read none
  SQLITE_FOLDER   folder that contains the SQLite databases that connections may open, in it or in folders below it; without
                  it, no file is opened
`;

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

/** Reads the configuration; exits with a helpful message if it cannot be used. */
export function readConfiguration(args: readonly string[], env: NodeJS.ProcessEnv): Configuration {
  const role = roleOf(args);
  const port = portOf(env.PORT || '4000');
  checkPrivateHosts(env.ALLOW_PRIVATE_HOSTS);
  return {
    role,
    port,
    host: env.HOST || '127.0.0.1',
    operator: operatorOf(env.OPERATOR_PORT, env.OPERATOR_HOST || '127.0.0.1'),
    drainMs: 1000 * drainSecondsOf(env.DRAIN_SECONDS || '0'),
    tracing: env.TRACING ? resolve(env.TRACING) : undefined,
    address: {
      url: publicUrlOf(env.PUBLIC_URL || `http://localhost:${port}`),
      isSet: Boolean(env.PUBLIC_URL),
      serves: role !== 'worker',
    },
    dataDir: resolve(env.DATA_DIR ?? '.data'),
    databaseUrl: databaseUrlOf(env.DATABASE_URL),
    replicas: {
      urls: replicaUrlsOf(env.DATABASE_REPLICA_URLS, env.DATABASE_URL),
      maxLagMs: 1000 * secondsOf('REPLICA_MAX_LAG_SECONDS', env.REPLICA_MAX_LAG_SECONDS || '5'),
    },
    databaseLostMs: 1000 * secondsOf('DATABASE_LOST_AFTER', env.DATABASE_LOST_AFTER || '300'),
    key: keyOf(env.UNIFIED_KEY, env.MASTER_KEY_COMMAND),
    keyCommand: env.MASTER_KEY_COMMAND?.trim() || undefined,
    bucket: bucketOf(env),
    sandbox: isOn('SANDBOX', env.SANDBOX || 'on'),
    trustProxy: isOn('TRUST_PROXY', env.TRUST_PROXY || 'off'),
    rateLimits: rateLimitsOf(env.REQUESTS_PER_MINUTE),
    redisUrl: redisUrlOf(env.REDIS_URL),
    openId: openIdOf(env),
    largestResponse: 1_000_000 * megabytesOf('LARGEST_RESPONSE', env.LARGEST_RESPONSE || '16'),
    mcpCallsPerMonth: callsOf(env.MCP_CALLS_PER_MONTH),
    logLevel: logLevelOf(env.LOG_LEVEL ?? 'warn'),
  };
}

function callsOf(text = ''): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return end(`MCP_CALLS_PER_MONTH is a whole number up to 999999999, not "${text}".\n`, 2);
}

/** Records are stored with links that begin with this address, so a mistake would be costly. */
function publicUrlOf(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    end(`PUBLIC_URL begins with http:// or https://, not "${text}".\n`, 2);
  return text.replace(/\/+$/, '');
}

/** The address contains a password, so it is not shown. */
function databaseUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''))
    end('DATABASE_URL has the form postgres://user:password@host:5432/database.\n', 2);
  return text;
}

/** The addresses contain passwords, so they are not shown. */
function replicaUrlsOf(text = '', databaseUrl: string | undefined): readonly string[] {
  const urls = text.split(',').map((url) => url.trim());
  const given = urls.filter((url) => url !== '');
  if (given.some((url) => !/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')))
    end('DATABASE_REPLICA_URLS has the form postgres://user:password@host:5432/database, separated by commas.\n', 2);
  if (given.length > 0 && !databaseUrl)
    end('DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded PostgreSQL has no replicas.\n', 2);
  return given;
}

/** The key is a secret, so it is not shown. */
function keyOf(text: string | undefined, command: string | undefined): string | undefined {
  if (!text || command?.trim()) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(text) && Buffer.from(text, 'base64').length !== 32)
    end('UNIFIED_KEY is 32 bytes as base64 or hex: openssl rand -base64 32.\n', 2);
  return text;
}

function operatorOf(port: string | undefined, host: string): Configuration['operator'] {
  return port ? { port: portOf(port, 'OPERATOR_PORT'), host } : undefined;
}

function portOf(text: string, name = 'PORT'): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    end(`${name} must be a number up to 65535, not "${text}".\n`, 2);
  return port;
}

function isOn(name: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') end(`${name} is on or off, not "${text}".\n`, 2);
  return text === 'on';
}

/** Only checks the list, which is read again when connections call hosts. */
function checkPrivateHosts(text: string | undefined): void {
  try {
    parsePrivateHosts(text);
  } catch (error) {
    end(`${error instanceof Error ? error.message : error}\n`, 2);
  }
}

function secondsOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) end(`${name} is a number of seconds, not "${text}".\n`, 2);
  return Number(text);
}

function drainSecondsOf(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 601;
  if (seconds > 600) end(`DRAIN_SECONDS is a number of seconds from 0 to 600, not "${text}".\n`, 2);
  return seconds;
}

/** More than 256 MB could not be rendered, because V8 limits the length of a string. */
function megabytesOf(name: string, text: string): number {
  const megabytes = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (megabytes < 1 || megabytes > 256) end(`${name} is a number of megabytes from 1 to 256, not "${text}".\n`, 2);
  return megabytes;
}

/** The address can contain a password, so it is not shown. */
function redisUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {};
  if (!/^rediss?:$/.test(protocol) || hostname === '')
    end('REDIS_URL has the form redis://:password@host:6379/0, or rediss:// for TLS.\n', 2);
  return text;
}

/** Issuers of Microsoft Entra ID at which the people of every tenant sign in. */
const OF_ANY_TENANT = /\/(common|organizations|consumers)(\/|$)/;

/** Operators sign in at this provider, so an address that others can read or change is not accepted. */
function openIdOf(env: NodeJS.ProcessEnv): OpenIdSettings | undefined {
  const {
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: clientId,
    OPENID_CLIENT_SECRET: clientSecret,
    OPENID_NAME: name,
  } = env;
  if (!issuer) return undefined;
  if (!isIssuer(issuer)) end(`OPENID_ISSUER begins with https://, not "${issuer}".\n`, 2);
  if (!clientId) end('OPENID_ISSUER needs OPENID_CLIENT_ID, the id of this service at the provider.\n', 2);
  const trustsEmail = isOn('OPENID_TRUST_EMAIL', env.OPENID_TRUST_EMAIL || 'off');
  if (trustsEmail && OF_ANY_TENANT.test(issuer))
    end('OPENID_TRUST_EMAIL needs the issuer of your own tenant: anyone could enter the address of an operator.\n', 2);
  return {
    issuer,
    clientId,
    clientSecret: clientSecret || undefined,
    name: name || new URL(issuer).hostname,
    trustsEmail,
  };
}

function rateLimitsOf(text: string | undefined): RateLimits | undefined {
  if (!text) return undefined;
  const limits = parseRateLimits(text);
  if (!limits) end(`REQUESTS_PER_MINUTE has the form data=600,management=120,mcp=300,token=60, not "${text}".\n`, 2);
  return limits;
}

function logLevelOf(text: string): string {
  if (!LOG_LEVELS.includes(text)) end(`LOG_LEVEL is ${LOG_LEVELS.join(', ')}, not "${text}".\n`, 2);
  return text;
}

function bucketOf(env: NodeJS.ProcessEnv): S3Settings | undefined {
  try {
    return s3Settings(env);
  } catch (error) {
    return end(`${error instanceof Error ? error.message : error}\n`, 2);
  }
}

/** The role in the command line, which has no other option. */
function roleOf(args: readonly string[]): Role {
  if (wantsHelp(args)) end(HELP, 0);
  const given = readFlags(args, { role: { type: 'string' }, help: { type: 'boolean' } });
  const unexpected = given.positionals.map((text) => `"${text}" is not an option.`);
  const problems = [...given.problems, ...unexpected];
  if (problems.length > 0) end(`${problems.join('\n')}\nSee: npm start -- --help\n`, 2);
  const role = textOf(given, 'role') ?? 'all';
  if (role !== 'api' && role !== 'worker' && role !== 'all') end(`--role is api, worker or all, not "${role}".\n`, 2);
  return role;
}

function end(text: string, code: number): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
