import type { Driver } from '../driver.ts';
import type { Json } from '../json.ts';
import { parsePrivateHosts } from '../net/private-hosts.ts';
import { LARGEST_RESPONSE, LONGEST_CALL } from '../passthrough/passthrough.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverEvents, DriverLimits, ProtocolOf } from '../protocol.ts';
import { SystemError } from '../system-error.ts';
import { checkStreams } from './check-streams.ts';
import { rowContents } from './content.ts';
import { discovery, type ListingDiscovery } from './discovery.ts';
import { writeJournal } from './journal.ts';
import { dialectFor, dialectsOf } from './known-dialects.ts';
import { markOf } from './mark.ts';
import { platformOptions, sqlOptions, streamOptions } from './options.ts';
import { sqlPassthrough } from './passthrough.ts';
import { readableColumns } from './probe.ts';
import { pull, pullChanges } from './pull.ts';
import { readRow } from './read-row.ts';
import { rowActions, rowWrites } from './row-writes.ts';
import { cursorsOf, type Source } from './source.ts';
import { Sources } from './sources.ts';

/** All optional parts of a driver. */
export type SqlDriver = Required<Omit<Driver, 'origin' | 'version'>> & { readonly discover: ListingDiscovery };

/** Systems that are accessed through their database. */
export const sqlProtocol: ProtocolOf<SqlDriver> = {
  parts: { changes: true, writes: true, actions: true, contents: true, discover: true, passthrough: true },
  nativeDeletes: false,
  without: ({ readOnly }, { query }) => (readOnly === true || query !== undefined ? ['writes', 'actions'] : []),
  withoutReason: ({ readOnly }, { query }) => {
    if (readOnly === true) return 'the platform is read-only';
    return query === undefined ? undefined : 'it reads a query';
  },
  tables: { whole: {}, also: (options) => options },
  options: sqlOptions,
  open: openSql,
};

/**
 * Opens a driver for a database. Settings: `url` (secret), `schema`, `timezone` and `allowPrivateHosts`, if the platform
 * offers them. Refusals of the database (constraints, errors raised by triggers) are `rejected`; see `SqlDialect.writeRefusal`.
 */
export function openSql(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  events: DriverEvents = {},
  { maxReceivedBytes }: DriverLimits = {},
): SqlDriver {
  const options = platformOptions(platform);
  const { statementTimeoutMs: settleAfterMs, cursorOverlapSeconds: overlap } = options;
  const url = String(settings.url);
  const dialect = dialectFor(url, dialectsOf(options.dialect));
  const schema = typeof settings.schema === 'string' ? settings.schema : (options.schema ?? dialect.defaultSchema(url));
  const timezone = typeof settings.timezone === 'string' ? settings.timezone : options.timezone;
  const rules = {
    allowPrivate: settings.allowPrivateHosts === true,
    privateHosts: parsePrivateHosts(process.env.ALLOW_PRIVATE_HOSTS),
  };
  const limits = {
    statementTimeoutMs: settleAfterMs,
    readOnly: options.readOnly === true,
    ...(maxReceivedBytes !== undefined && { maxReceivedBytes }),
  };
  const database = dialect.open(url, { ...limits, events, rules });
  const { query } = database;
  const streams = new Map(platform.streams.map((stream) => [stream.name, streamOptions(stream, platform, dialect)]));
  const sources = new Sources(dialect, database, schema, timezone, streams);
  const writer = {
    dialect,
    database,
    sources,
    journal: options.journal && writeJournal(dialect, schema, options.journal),
  };
  const changes: SqlDriver['changes'] = {
    async mark(stream, previous = null) {
      sources.forget(stream);
      return markOf(dialect, query, cursorsOf(await readSource(sources, stream)), overlap, previous);
    },
    async pull(request) {
      refuseAborted(request.signal);
      return pullChanges(query, await readSource(sources, request.stream), request);
    },
  };
  const once = {
    ...limits,
    statementTimeoutMs: Math.min(settleAfterMs, LONGEST_CALL),
    readOnly: true,
    maxReceivedBytes: LARGEST_RESPONSE,
  };
  const driver: Omit<SqlDriver, 'discover'> = {
    settleAfterMs,
    check: () => checkStreams(dialect, database, schema, streams),
    async pull(request) {
      refuseAborted(request.signal);
      return pull(query, await readSource(sources, request.stream), request);
    },
    async read(stream, key) {
      return readRow(query, await sources.of(stream), key);
    },
    changes,
    writes: rowWrites(writer),
    actions: rowActions(writer),
    contents: rowContents(dialect, query, schema, (stream) => sources.options(stream)),
    passthrough: sqlPassthrough(() => dialect.open(url, { ...once, events, rules })),
    close: () => database.close(),
  };
  return { ...driver, discover: discovery(dialect, query, schema, sources, driver) };
}

/** What is read for a stream. If the connection defines it, what it lacks is named before the database refuses a statement. */
async function readSource(sources: Sources, stream: Stream): Promise<Source> {
  const source = await sources.of(stream);
  if (!stream.isCustom) return source;
  try {
    readableColumns(source);
  } catch (error) {
    sources.forget(stream);
    throw error;
  }
  return source;
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SystemError('unavailable', 'The pass was stopped');
}
