import { withNames } from '../added-names.ts';
import type { Discovery, Driver, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverHost, DriverLimits, ProtocolOf } from '../protocol.ts';
import { rowChanges } from './changes.ts';
import { discovery } from './discovery.ts';
import { entityIn, rowOf } from './list-page.ts';
import { ODataSession } from './odata-session.ts';
import { odataOptions } from './options.ts';
import { page } from './pull.ts';
import { shapeOf, withQuery } from './query.ts';
import { rowActions } from './row-actions.ts';
import { rowWrites } from './row-writes.ts';
import { readSettings } from './settings.ts';
import { pathOfRow, sourceOf } from './source.ts';

/** All parts except files. */
export type ODataDriver = Required<Omit<Driver, 'contents' | 'origin' | 'version'>> & {
  readonly discover: Required<Pick<Discovery, 'catalog'>>;
};

/** OData V2 and V4. */
export const odataProtocol: ProtocolOf<ODataDriver> = {
  parts: { changes: true, writes: true, actions: true, contents: false, discover: true, passthrough: true },
  nativeDeletes: false,
  tables: {
    whole: {},
    also: (options, columns) => (options.select === undefined ? options : withNames(options, 'select', columns)),
  },
  options: odataOptions,
  open: openOData,
};

/** Opens a driver for a service. Nothing is called until it is used. */
export function openOData(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  { secretIssued = () => undefined }: DriverHost = {},
  { maxBodyBytes }: DriverLimits = {},
): ODataDriver {
  const options = odataOptions.platform(platform);
  const { timeoutMs, ...rest } = readSettings(settings, options);
  // Twice the timeout, because a server continues after the caller has disconnected.
  const settleAfterMs = 2 * timeoutMs;
  const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const session = new ODataSession({ timeoutMs, ...rest }, { ...limits, secretIssued }, options);
  const read = async (stream: Stream, key: string): Promise<Row | null> => {
    const source = await sourceOf(session, stream);
    const found = await session.find(withQuery(pathOfRow(source, key), shapeOf(source)));
    return found === null || found.value === null ? null : rowOf(source, entityIn(found.value)).row;
  };
  return {
    settleAfterMs,
    // Requesting the description is not enough: some services return it without credentials.
    check: () => session.check(),
    pull: async (request) => page(session, await sourceOf(session, request.stream), [], request),
    read,
    changes: rowChanges(session, (options.overlapSeconds ?? 300) * 1000),
    writes: rowWrites(session, settleAfterMs),
    actions: rowActions(session),
    discover: discovery(session),
    passthrough: { send: (request) => session.passThrough(request) },
    close: () => session.close(),
  };
}
