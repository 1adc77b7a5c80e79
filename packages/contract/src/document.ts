import { readFileSync } from 'node:fs';
import { withErrorTable } from './error-table-text.ts';

/** An OpenAPI document. Readers declare the parts that they need. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Requests that the service sends, by kind of event. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

let loaded: OpenApiDocument | undefined;

/** The document in the form for generators of clients, with the address that is in the files. The file is read once. */
export function clientDocument(): OpenApiDocument {
  loaded ??= readDocument();
  return loaded;
}

let version: string | undefined;

/** Version of the API that the document describes. Read once, because the whole document takes 10 MB of memory. */
export function apiVersion(): string {
  version ??= (loaded ?? readDocument()).info.version;
  return version;
}

function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;
}

/**
 * The document as a server with this address serves it: every address of the server, including those in samples and examples,
 * starts with `publicUrl` (such as `https://api.example.com`, with or without a path) instead of the address in the file, and
 * the guide contains the table of error codes.
 */
export function servedDocument(publicUrl: string, document = clientDocument()): OpenApiDocument {
  const text = JSON.stringify(document).replaceAll(originOf(document), publicUrl.replace(/\/+$/, ''));
  return JSON.parse(text, (key, value) =>
    key === 'description' && typeof value === 'string' ? withErrorTable(value) : value,
  ) as OpenApiDocument;
}

/** The address of the server in the file, without a path. */
function originOf({ servers: [server] }: OpenApiDocument): string {
  if (!server) throw new Error('The document has no server.');
  return new URL(server.url).origin;
}
