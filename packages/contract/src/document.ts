import { readFileSync } from 'node:fs';
import { errorTable } from '../generated/errors.ts';

/** The bundled document. Readers declare the parts that they need. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
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

/** Where the section on errors of the guide has the codes. */
const PLACE_OF_CODES = '<!-- error table -->';

/**
 * The document as a server publishes it: every address of the server starts with `publicUrl` (such as
 * `https://api.example.com`, with or without a path) instead of the address in the file, in samples and examples as well; the
 * guide has the table of error codes; and each operation and webhook that is described for a later release has
 * `x-status: planned`.
 */
export function publishedDocument(publicUrl: string): OpenApiDocument {
  const document = openApiDocument();
  const planned = new Set(document['x-planned']);
  const text = JSON.stringify(document).replaceAll(originOf(document), publicUrl.replace(/\/+$/, ''));
  return JSON.parse(text, (key, value) => {
    if (key === 'description' && typeof value === 'string') return value.replace(PLACE_OF_CODES, codesAsMarkdown);
    return planned.has(value?.operationId) ? { ...value, 'x-status': 'planned' } : value;
  }) as OpenApiDocument;
}

/** The address of the server in the file, without a path. */
function originOf({ servers: [server] }: OpenApiDocument): string {
  if (!server) throw new Error('The document has no server.');
  return new URL(server.url).origin;
}

/** The table of error codes, as on the page of errors. */
function codesAsMarkdown(): string {
  const rows = Object.entries(errorTable).map(([code, { status, retryable, when, do: remedy, planned }]) => {
    const situation = planned ? `Not available yet. ${when}` : when;
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${situation} | ${remedy} |`;
  });
  return ['| Code | Status | Retryable | When | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}
