import { type Api, call, fetchResponse, type Server } from './api.ts';
import { bearer } from './bearer.ts';
import type { WriteRecord } from './calls.ts';
import { DataPosition } from './data-position.ts';
import { delay } from './delay.ts';
import { type Files, files } from './files.ts';
import { type FollowOptions, follow } from './follow.ts';
import { type ChangeFollowing, type FollowChangesOptions, followChanges } from './follow-changes.ts';
import { type Collections, collections, type LegacyCollections, prefix, unkeyed } from './generated/collections.ts';
import type { legacyPaths, paths } from './generated/types.ts';
import { type PathCalls, pathCalls } from './path-calls.ts';
import { type Query, query } from './query-rows.ts';
import { type Passthrough, passthrough, type Raw, raw } from './raw.ts';
import { resource } from './resource.ts';
import { type TransportOptions, transport } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** Root of the server, without the version segment: `https://api.example.com`. */
  readonly baseUrl: string;
}

/** Deprecated calls by collection and by path. A later version of the API removes them. */
export interface Legacy extends PathCalls<legacyPaths>, LegacyCollections {}

interface Waiting {
  /** Waits until a write has succeeded. Rejects with its error if it failed, and after `timeoutMs`. */
  wait(writeId: string, options?: FollowOptions): Promise<WriteRecord>;
}

/**
 * Calls by collection, such as `client.vendors.list()`, which reject with a `ServiceError`; and calls by path, such as
 * `client.GET('/vendors')`, which return `{ data, error, response }`.
 */
export interface Client extends PathCalls<paths>, Collections {
  attachments: Collections['attachments'] & Files;
  changes: Collections['changes'] & ChangeFollowing;
  writes: Collections['writes'] & Waiting;
  query: Query;
  raw: Raw;
  passthrough: Passthrough;
  /** Deprecated operations, such as `client.legacy.items.list()`. The reference names their successors. */
  legacy: Legacy;
}

/**
 * Creates a client for a server and a token.
 *
 * @throws {TypeError} If `baseUrl` is not an address, or there is no token, for example when a setting is missing.
 */
export function createClient(options: ClientOptions): Client {
  // Programs in JavaScript may pass nothing.
  const root = rootOf((options as Partial<ClientOptions> | undefined)?.baseUrl);
  // Both transports renew the same token, and read data that includes what responses to either have reported.
  const token = bearer(options.token);
  const position = new DataPosition();
  const base = root + prefix;
  const server: Server = { base, fetch: transport({ ...options, token }, unkeyed, position) };
  const streaming = { ...options, token, retries: 0, timeoutMs: Number.POSITIVE_INFINITY };
  const streams: Server = { base, fetch: transport(streaming, unkeyed, position) };
  const api: Api = {
    call: (request) => call(server, request),
    fetch: (request) => fetchResponse(server, request),
    stream: (request) => fetchResponse(streams, request),
    timeoutMs: options.timeoutMs ?? 60_000,
    delay: options.delay ?? delay,
    position,
  };
  const resources = resourcesOf(api);
  const wait = (writeId: string, follows: FollowOptions = {}) => follow(api, writeId, follows);
  const own = {
    attachments: { ...resources.attachments, ...files(api, '/attachments') },
    changes: { ...resources.changes, follow: (options?: FollowChangesOptions) => followChanges(api, options) },
    writes: { ...resources.writes, wait },
    query: query(api),
    raw: raw(api),
    passthrough: passthrough(api),
  };
  const byPath = pathCalls(root, server.fetch);
  return { ...resources, ...own, ...byPath, legacy: { ...resources, ...byPath } } as unknown as Client;
}

function resourcesOf(api: Api): Readonly<Record<string, object>> {
  return Object.fromEntries(
    collections.map((row) => {
      const [path = '', ...actions] = row.split(' ');
      return [camelCase(path), resource(api, `/${path}`, actions)];
    }),
  );
}

/** In a browser, a path is also an address: that of a proxy on the origin of the page. */
function rootOf(baseUrl: unknown): string {
  if (typeof baseUrl === 'string' && /^(https?:\/\/.|\/)/i.test(baseUrl)) return baseUrl.replace(/\/+$/, '');
  throw new TypeError(
    `baseUrl ${baseUrlFault(baseUrl)}. Set it to the root of the server, such as https://api.example.com.`,
  );
}

function baseUrlFault(baseUrl: unknown): string {
  if (baseUrl === '') return 'is empty';
  if (typeof baseUrl !== 'string') return `is ${baseUrl}, not a string`;
  return `"${baseUrl}" does not begin with http:// or https://`;
}

function camelCase(path: string): string {
  return path.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
