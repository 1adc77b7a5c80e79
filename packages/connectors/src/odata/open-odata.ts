import type { Discovery, Driver, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverEvents, DriverLimits, ProtocolOf } from '../protocol.ts';
import { rowChanges } from './changes.ts';
import { discovery } from './discovery.ts';
import { entityIn, rowOf } from './list-page.ts';
import { ODataSession } from './odata-session.ts';
import { odataOptions } from './options.ts';
import { page } from './pull.ts';
import { shapeOf, withQuery } from './query.ts';
import { readSettings } from './settings.ts';
import { pathOfRow, sourceOf } from './source.ts';

/** Reading, changes and the structure of the service. */
export type ODataDriver = Required<Pick<Driver, 'changes' | 'discover'>> &
  Omit<Driver, 'changes' | 'discover' | 'writes' | 'actions' | 'contents'> & {
    readonly discover: Required<Pick<Discovery, 'catalog'>>;
  };

/** OData V2 and V4. */
export const odataProtocol: ProtocolOf<ODataDriver> = {
  parts: { changes: true, writes: false, actions: false, contents: false, discover: true },
  nativeDeletes: false,
  options: odataOptions,
  open: openOData,
};

/** Opens a driver for a service. Nothing is called until it is used. */
export function openOData(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  _events?: DriverEvents,
  { maxBodyBytes }: DriverLimits = {},
): ODataDriver {
  const options = odataOptions.platform(platform);
  const session = new ODataSession(readSettings(settings), maxBodyBytes === undefined ? {} : { maxBodyBytes });
  const read = async (stream: Stream, key: string): Promise<Row | null> => {
    const source = await sourceOf(session, stream);
    const found = await session.find(withQuery(pathOfRow(source, key), shapeOf(source)));
    return found === null || found.value === null ? null : rowOf(source, entityIn(found.value)).row;
  };
  return {
    // Some services describe themselves to everyone.
    check: async () => void (await session.send({ method: 'GET', path: '' })),
    pull: async (request) => page(session, await sourceOf(session, request.stream), [], request),
    read,
    changes: rowChanges(session, (options.overlapSeconds ?? 300) * 1000),
    discover: discovery(session),
    close: () => session.close(),
  };
}
