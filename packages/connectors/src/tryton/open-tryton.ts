import { withNames } from '../added-names.ts';
import type { Discovery, Driver, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverHost, DriverLimits, ProtocolOf } from '../protocol.ts';
import { ButtonNames } from './button-names.ts';
import { ChangingCalls } from './changing-calls.ts';
import { Completer } from './completer.ts';
import { Flags } from './flags.ts';
import { optionsOf, trytonOptions } from './options.ts';
import { columns, probe } from './probe.ts';
import { pull, pullChanges } from './pull.ts';
import { RecordWriter } from './record-writer.ts';
import { RelatedRecords } from './related-records.ts';
import { RowReader } from './row-reader.ts';
import { rowActions, rowWrites } from './row-writes.ts';
import { Schemas } from './schemas.ts';
import { readSettings } from './settings.ts';
import { systemCatalog } from './system-catalog.ts';
import { TrytonSession } from './tryton-session.ts';
import { unwatched } from './unwatched.ts';
import { ValuesEncoder } from './values-encoder.ts';

/** All parts except files. */
export type TrytonDriver = Required<Omit<Driver, 'contents' | 'origin' | 'version'>> & {
  readonly discover: Required<Pick<Discovery, 'catalog'>>;
};

/** Tryton (6.0 to 8.2) over JSON-RPC. */
export const trytonProtocol: ProtocolOf<TrytonDriver> = {
  parts: { changes: true, writes: true, actions: true, contents: false, discover: true, passthrough: true },
  nativeDeletes: false,
  tables: {
    whole: { fields: ['id'], allFields: true },
    also: (options, columns) => withNames(options, 'fields', columns),
  },
  times: { created: 'create_date', updated: 'write_date' },
  options: trytonOptions,
  open: openTryton,
};

/** Opens a driver for a database of Tryton. Nothing is called until it is used. */
export function openTryton(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  { secretIssued = () => undefined }: DriverHost = {},
  { maxBodyBytes }: DriverLimits = {},
): TrytonDriver {
  const options = trytonOptions.platform(platform);
  const { timeoutMs, ...rest } = readSettings(settings);
  const overlapMs = (options.overlapSeconds ?? 300) * 1000;
  const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const session = new TrytonSession({ timeoutMs, ...rest }, { ...limits, secretIssued });
  const schemas = new Schemas(session, options.otherNames);
  const buttons = new ButtonNames(session, schemas, options.otherNames);
  const flags = new Flags(session, schemas, options.flags);
  const reader = new RowReader(session, schemas, flags);
  const calls = new ChangingCalls(session, options.confirmWarnings ?? []);
  const related = new RelatedRecords(session, schemas);
  const encoder = new ValuesEncoder(schemas, related);
  const completer = new Completer(session, schemas);
  const recordWriter = new RecordWriter({ calls, reader, flags, related, schemas, encoder, completer });
  // Twice the timeout, because Tryton continues after the caller has disconnected.
  const settleAfterMs = 2 * timeoutMs;
  const read = async (stream: Stream, key: string): Promise<Row | null> => {
    if (!/^-?\d{1,15}$/.test(key)) return null;
    const [row] = await reader.search(optionsOf(stream), [['id', '=', Number(key)]], 1);
    return row ?? null;
  };
  const writer = { session, schemas, buttons, calls, encoder, recordWriter, settleAfterMs, read };
  const parts = { schemas, buttons, flags, reader };
  return {
    settleAfterMs,
    check: async () => void (await session.userId()),
    pull: (request) => pull(reader, request),
    read,
    changes: {
      mark: async () => new Date((await session.serverTime()) - overlapMs).toISOString(),
      pull: (request) => pullChanges(parts, request),
    },
    writes: rowWrites(writer),
    actions: rowActions(writer),
    discover: {
      catalog: systemCatalog(session, schemas),
      columns: (stream) => columns(parts, optionsOf(stream)),
      unwatched: (stream) => unwatched(schemas, optionsOf(stream)),
      probe: (stream, { actions }) => probe(parts, optionsOf(stream), actions),
    },
    passthrough: { send: (request) => session.passThrough(request) },
    close: () => session.close(),
  };
}
