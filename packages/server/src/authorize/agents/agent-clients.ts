import type { Engine } from '@unified/engine';
import { authorizingClient, type Store } from '@unified/store';
import { LRUCache } from 'lru-cache';

/** A program with which a user's agent asks for authorization. */
export interface AgentClient {
  readonly name: string;
  /** Where users may be redirected. */
  readonly redirectUris: readonly string[];
  /** The application whose users it serves; undefined for a program that describes itself. */
  readonly applicationId?: string;
}

/** Finds the client of an id; null if there is none. */
export type FindAgentClient = (id: string) => Promise<AgentClient | null>;

const MOST_DOCUMENTS = 1_000;
const KEPT_MS = 300_000;
/** Milliseconds for which a missing document is remembered. */
const MISSING_MS = 10_000;
const LONGEST_ID = 2_000;
const LONGEST_NAME = 100;
const MOST_REDIRECT_URIS = 100;

/**
 * Clients of applications by their UUID, and programs by the address of their metadata (Client ID Metadata Documents). Documents
 * are kept for 5 minutes, so that requests cannot cause an unlimited number of requests to other servers.
 */
export function createAgentClients(store: Store, documentAt: Engine['documentAt']): FindAgentClient {
  const documents = new LRUCache<string, { readonly client: AgentClient | null }>({
    max: MOST_DOCUMENTS,
    ttl: KEPT_MS,
    async fetchMethod(url, _stale, { options }) {
      const client = clientOfDocument(url, await documentAt(url));
      if (!client) options.ttl = MISSING_MS;
      return { client };
    },
  });
  return async (id) => {
    if (isDocumentAddress(id)) return (await documents.fetch(id))?.client ?? null;
    return authorizingClient(store, id);
  };
}

/**
 * An address that can identify a client: https, at most 2,000 characters, with a path, as browsers write it, and without
 * credentials or a fragment.
 */
export function isDocumentAddress(id: string): boolean {
  if (id.length > LONGEST_ID) return false;
  const url = URL.parse(id);
  if (url?.protocol !== 'https:' || url.href !== id || url.pathname === '/') return false;
  return url.username === '' && url.password === '' && !id.includes('#');
}

/** The client that a document describes. Null if it describes another one, or one that has a secret. */
function clientOfDocument(url: string, document: unknown): AgentClient | null {
  if (typeof document !== 'object' || document === null) return null;
  const given = document as Readonly<Record<string, unknown>>;
  const { client_id: id, client_name: name, redirect_uris: uris } = given;
  const { token_endpoint_auth_method: method = 'none' } = given;
  if (id !== url || method !== 'none' || !Array.isArray(uris)) return null;
  const redirectUris = uris.filter(isRedirectUri).slice(0, MOST_REDIRECT_URIS);
  const shown = typeof name === 'string' ? name.replace(/\p{C}/gu, ' ').trim().slice(0, LONGEST_NAME) : '';
  return { name: shown || new URL(url).host, redirectUris };
}

/** Protocols whose addresses are run or read by the browser itself. */
const NOT_PROGRAMS = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a code may be sent there: encrypted, or to a program on the machine of the user (RFC 8252). */
function isRedirectUri(value: unknown): value is string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || String(value).includes('#') || String(value).length > 2000) return false;
  if (url.protocol === 'http:') return isLoopback(url);
  return url.protocol === 'https:' || !NOT_PROGRAMS.has(url.protocol);
}

/** Whether an address is one of the machine on which the browser runs. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

/** Whether a client has a redirect URI. The port of a program on the user's machine may differ (RFC 8252, section 7.3). */
export function hasRedirectUri({ redirectUris }: AgentClient, wanted: string): boolean {
  if (redirectUris.includes(wanted)) return true;
  const without = withoutLoopbackPort(wanted);
  return without !== undefined && redirectUris.some((uri) => withoutLoopbackPort(uri) === without);
}

function withoutLoopbackPort(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== 'http:' || !isLoopback(url)) return undefined;
  url.port = '';
  return url.href;
}
