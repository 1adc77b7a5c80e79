import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import type { PulledPage, RawRow } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openRest, type RestDriver } from '../src/rest/open-rest.ts';
import type { PlatformOptions, StreamOptions } from '../src/rest/options.ts';
import { httpServer } from './http-server.ts';

const opened: RestDriver[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((driver) => driver.close()));
});

/** A driver for the system at an address. */
export interface RestSystem {
  readonly driver: RestDriver;
  stream(name: string): Stream;
  /** All rows of a stream, page by page. */
  pullAll(name: string, options?: { since?: Json; limit?: number }): Promise<RawRow[]>;
}

/** What a test changes in the platform. */
export interface RestPlatform {
  readonly options?: Partial<PlatformOptions>;
  readonly settings?: Readonly<Record<string, Json>>;
  /** Options by stream, in order. */
  readonly streams?: Readonly<Record<string, StreamOptions>>;
  readonly key?: Readonly<Record<string, readonly string[]>>;
}

/** The path and the parameters of a request. */
export function asked({ url = '' }: IncomingMessage): URL {
  return new URL(url, 'http://system.example');
}

/** Responds with JSON. */
export function reply(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Opens a driver for a server that responds with `listener`. */
export async function restSystem(listener: RequestListener, platform: RestPlatform = {}): Promise<RestSystem> {
  return restSystemAt(await httpServer(listener), platform);
}

/** Opens a driver for a server that is running. */
export function restSystemAt(url: URL, { options, settings, streams = {}, key = {} }: RestPlatform = {}): RestSystem {
  const known = Object.entries(streams).map(
    ([name, own], order): Stream => ({
      name,
      key: key[name] ?? ['id'],
      order,
      ...((own.changes ?? streams[own.parents?.stream ?? '']?.changes) && { cursor: 'updated' }),
      deletes: 'diff',
      pageSize: 3,
      options: own as unknown as Stream['options'],
    }),
  );
  const platform = platformWith(known, {
    authentication: { bearer: true },
    check: '/me',
    overlapSeconds: 0,
    ...options,
  });
  const driver = openRest(platform, { url: url.href, token: 'secret', allowPrivateHosts: true, ...settings });
  opened.push(driver);
  const stream = (name: string) => {
    const found = known.find((each) => each.name === name);
    if (!found) throw new Error(`no stream ${name}`);
    return found;
  };
  return { driver, stream, pullAll: (name, asked) => pullAll(driver, stream(name), asked) };
}

function platformWith(streams: readonly Stream[], options: PlatformOptions): Platform {
  return {
    id: 'acme',
    name: 'Acme',
    description: '',
    driver: 'rest',
    settings: { type: 'object', properties: {} },
    secrets: ['token'],
    streams,
    mappings: {},
    broken: [],
    options: options as unknown as Platform['options'],
  };
}

/** Stores where a pass continues as text, as the service does. */
async function pullAll(
  driver: RestDriver,
  stream: Stream,
  { since, limit = stream.pageSize }: { since?: Json; limit?: number } = {},
): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for (let from: Json | null = null, more = true; more; more = from !== null) {
    const request = { stream, from, limit };
    const page: PulledPage = await (since === undefined
      ? driver.pull(request)
      : driver.changes.pull({ ...request, since }));
    rows.push(...page.rows);
    from = JSON.parse(JSON.stringify(page.next));
  }
  return rows;
}
