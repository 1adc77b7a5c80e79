import type { EarlierVersion } from '../src/earlier-version.ts';
import type { Document } from './openapi.ts';

/**
 * The earlier version that the document names, deprecated since the date of the header `Deprecation`. Throws if its address is
 * missing, or is the address of a server.
 */
export function earlierVersionOf(document: Document): EarlierVersion {
  const version = document['x-earlier-version'];
  const header = document.components.headers?.Deprecation?.schema as { readonly const?: unknown } | undefined;
  if (!version || typeof header?.const !== 'string')
    throw new Error('The document needs x-earlier-version, and the date of the header Deprecation.');
  const bases = (document.servers ?? []).map(({ url }) => new URL(url, 'http://localhost').pathname);
  if (bases.includes(version.base)) throw new Error(`x-earlier-version: ${version.base} is the address of a server.`);
  return { name: version.name, base: version.base, since: header.const };
}
