import type { IncomingHttpHeaders } from 'node:http';
import type { Driver, PulledPage, PullRequest, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { memoryTokenStore } from '../oauth/token-store.ts';
import type { Platform, Stream } from '../platform.ts';
import type { DriverHost, DriverLimits, ProtocolOf } from '../protocol.ts';
import { joinKey } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Writer } from './change-row.ts';
import { changedSince } from './changed-since.ts';
import { type ParentLists, pullOfParents, sampleOfParents } from './child-lists.ts';
import { beforeDeleted, deletedPage, placeInDeleted, reportedKeys } from './deleted-rows.ts';
import { endedPage, isAfterLast } from './ended-page.ts';
import { ListReader } from './list-reader.ts';
import { orderNotes } from './new-rows.ts';
import { optionsOf, restOptions } from './options.ts';
import { valuesOfParents } from './parent-values.ts';
import { columns, probe, type Sample } from './probe.ts';
import { RestClient } from './rest-client.ts';
import { rowActions, rowWrites } from './row-writes.ts';
import { readSettings } from './settings.ts';

/** All parts except the contents of files. */
export type RestDriver = Required<Omit<Driver, 'contents' | 'origin' | 'version'>>;

/** REST APIs with JSON. What differs between systems is in the options of the platform. */
export const restProtocol: ProtocolOf<RestDriver> = {
  parts: { changes: true, writes: true, actions: true, contents: false, discover: true, passthrough: true },
  nativeDeletes: false,
  options: restOptions,
  open: openRest,
};

/** Opens a driver for a system. Nothing is called until it is used. */
export function openRest(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  { tokens = memoryTokenStore(), secretIssued = () => undefined }: DriverHost = {},
  { maxBodyBytes }: DriverLimits = {},
): RestDriver {
  const options = restOptions.platform(platform);
  const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const connection = readSettings(settings, options);
  const client = new RestClient(platform.name, options, connection, { ...limits, tokens, secretIssued });
  const reader = new ListReader(client);
  const overlapMs = (options.overlapSeconds ?? 300) * 1000;
  const check = () => client.check();
  const time = async () => timeIn((await check()).headers);
  const writer: Writer = { client, reader, positions: new Map() };
  const sample: Sample = async (stream, limit) => {
    const request = { stream, from: null, limit };
    const lists = listsOf(reader, platform, stream, null);
    return lists ? sampleOfParents(reader, lists, request) : (await pullStream(reader, platform, request)).rows;
  };
  return {
    // Twice the timeout, because a server continues after the caller has disconnected.
    settleAfterMs: 2 * connection.timeoutMs,
    check: async () => void client.json(await check()),
    async pull(request) {
      const page = await pullStream(reader, platform, request);
      // A full pass deletes the rows that it did not contain.
      return page.next === null ? endedPage(page, request, check) : page;
    },
    read: (stream, key) => reader.row(stream, key),
    changes: {
      mark: async () => new Date(Date.parse(await time()) - overlapMs).toISOString(),
      async pull(request) {
        const { stream, from, since, signal } = request;
        const place = placeInDeleted(from);
        if (place) return deletedPage({ client, reader }, stream, { place, since, signal });
        const page = await pullStream(reader, platform, request, since);
        return page.next === null ? { ...page, next: beforeDeleted(stream) } : page;
      },
      reported: (stream) => reportedKeys(client, stream),
    },
    writes: rowWrites(writer),
    actions: rowActions(writer),
    discover: {
      infersColumns: true,
      columns: (stream, rows) => columns(sample, stream, rows),
      async probe(stream, use) {
        const found = await probe(sample, stream, use);
        return { ...found, notes: [...found.notes, ...(await orderNotes(writer, stream, use))] };
      },
    },
    passthrough: { send: (request) => client.passThrough(request) },
    close: () => client.close(),
  };
}

/** The time of the system, RFC 3339, or that of this machine if the system does not return it. */
function timeIn({ date = '' }: IncomingHttpHeaders): string {
  const time = Date.parse(date);
  return new Date(Number.isNaN(time) ? Date.now() : time).toISOString();
}

/** One page of all rows of a stream, or of the rows that changed, or whose parents changed, since a mark. */
async function pullStream(
  reader: ListReader,
  platform: Platform,
  request: PullRequest,
  since: Json = null,
): Promise<PulledPage> {
  const { stream, ...page } = request;
  if (isAfterLast(page.from)) return { rows: [], next: null };
  const lists = listsOf(reader, platform, stream, since);
  if (lists) return pullOfParents(reader, lists, request);
  const parameters = parametersOf(stream, since);
  return reader.page({ stream, ...page, parameters });
}

/** The lists of parents that a stream reads; undefined if it reads one list. */
function listsOf(reader: ListReader, platform: Platform, stream: Stream, since: Json): ParentLists | undefined {
  const { parents } = optionsOf(stream);
  if (!parents) return undefined;
  const { as } = parents;
  if (parents.stream !== undefined) {
    const parent = streamOf(platform, parents.stream);
    const pullParents = (asked: PullRequest) => pullStream(reader, platform, { ...asked, stream: parent }, since);
    return { stream, as, pullParents, parentsPerPage: parent.pageSize };
  }
  const [name = ''] = [as].flat();
  const rows = valuesOfParents(parents).map((value) => ({ key: joinKey([String(value[name])]), row: {} }));
  const pullParents = async () => ({ rows, next: null });
  return { stream, as, pullParents, parentsPerPage: rows.length, parameters: parametersOf(stream, since) };
}

/** The parameters of a list for all rows, or for those that changed since a mark. */
function parametersOf(stream: Stream, since: Json): Row {
  const { changes } = optionsOf(stream);
  if (since === null) return {};
  if (changes) return changedSince(changes, since);
  throw new SystemError('rejected', `The platform does not define how changes of "${stream.name}" are requested`);
}

function streamOf(platform: Platform, name: string): Stream {
  const stream = platform.streams.find((each) => each.name === name);
  if (stream) return stream;
  throw new SystemError('rejected', `The platform has no stream "${name}"`);
}
