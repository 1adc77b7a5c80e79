import { readFileSync } from 'node:fs';

/** The bundled document. Readers declare the parts that they need. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Requests that the service sends, by kind of event. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Operations, webhooks and codes that are described for a later release. */
  readonly 'x-planned'?: readonly string[];
  readonly [part: string]: unknown;
}

let loaded: OpenApiDocument | undefined;

/** The document as it was written. The file is read once. */
export function openApiDocument(): OpenApiDocument {
  loaded ??= JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;
  return loaded;
}

/**
 * The document as a server publishes it: every server address starts with `publicUrl` (such as
 * `https://api.example.com`, with or without a path) instead of the address in the file, and each operation and webhook that is
 * described for a later release has `x-status: planned`.
 */
export function publishedDocument(publicUrl: string): OpenApiDocument {
  const document = openApiDocument();
  const planned = new Set(document['x-planned']);
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'servers' && Array.isArray(value)) return value.map((server) => published(server, publicUrl));
    return planned.has(value?.operationId) ? { ...value, 'x-status': 'planned' } : value;
  }) as OpenApiDocument;
}

function published(server: { url: string }, publicUrl: string): object {
  const { pathname } = new URL(server.url, publicUrl);
  return { ...server, url: publicUrl.replace(/\/+$/, '') + pathname.replace(/\/+$/, '') };
}
