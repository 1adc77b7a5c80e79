import type { Driver, PulledPage, PullRequest } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverEvents, DriverLimits, ProtocolOf } from '../protocol.ts';
import { SystemError } from '../system-error.ts';
import { urlOf } from './call-url.ts';
import { changedSince } from './changed-since.ts';
import { pullOfParents } from './child-lists.ts';
import { ListReader } from './list-reader.ts';
import { optionsOf, restOptions } from './options.ts';
import { columns, type Pull, probe } from './probe.ts';
import { RestClient } from './rest-client.ts';
import { readSettings } from './settings.ts';

/** Reads rows and changes. */
export type RestDriver = Required<Pick<Driver, 'changes' | 'discover'>> &
  Omit<Driver, 'changes' | 'discover' | 'writes' | 'actions' | 'contents'>;

/** REST APIs with JSON. What differs between systems is in the options of the platform. */
export const restProtocol: ProtocolOf<RestDriver> = {
  parts: { changes: true, writes: false, actions: false, contents: false, discover: true },
  nativeDeletes: false,
  options: restOptions,
  open: openRest,
};

/** Opens a driver for a system. Nothing is called until it is used. */
export function openRest(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  _events?: DriverEvents,
  { maxBodyBytes }: DriverLimits = {},
): RestDriver {
  const options = restOptions.platform(platform);
  const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const client = new RestClient(platform.name, options, readSettings(settings), limits);
  const reader = new ListReader(client);
  const overlapMs = (options.overlapSeconds ?? 300) * 1000;
  const check = () => client.call({ url: urlOf(client.base, options.check) });
  const pull: Pull = (stream, from, limit) => pullStream(reader, platform, { stream, from, limit });
  return {
    check: async () => void client.json(await check()),
    pull: (request) => pullStream(reader, platform, request),
    read: (stream, key) => reader.row(stream, key),
    changes: {
      async mark() {
        const { headers } = await check();
        const date = Date.parse(headers.date ?? '');
        return new Date((Number.isNaN(date) ? Date.now() : date) - overlapMs).toISOString();
      },
      pull: (request) => pullStream(reader, platform, request, request.since),
    },
    discover: {
      columns: (stream) => columns(pull, stream),
      probe: (stream) => probe(pull, stream),
    },
    close: () => client.close(),
  };
}

/** One page of all rows of a stream, or of those that changed since a mark, or whose parents did. */
async function pullStream(
  reader: ListReader,
  platform: Platform,
  request: PullRequest,
  since: Json = null,
): Promise<PulledPage> {
  const { stream, ...page } = request;
  const { parents, changes } = optionsOf(stream);
  if (parents) {
    const parent = streamOf(platform, parents.stream);
    const pullParents = (asked: PullRequest) => pullStream(reader, platform, asked, since);
    return pullOfParents(reader, { stream, parent, as: parents.as, pullParents }, request);
  }
  if (since === null) return reader.page({ stream, ...page });
  if (changes) return reader.page({ stream, ...page, parameters: changedSince(changes, since) });
  throw new SystemError('rejected', `The platform does not define how changes of "${stream.name}" are requested`);
}

function streamOf(platform: Platform, name: string): Stream {
  const stream = platform.streams.find((each) => each.name === name);
  if (stream) return stream;
  throw new SystemError('rejected', `The platform has no stream "${name}"`);
}
