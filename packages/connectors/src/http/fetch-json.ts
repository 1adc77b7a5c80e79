import { type PrivateHosts, parsePrivateHosts } from '../net/private-hosts.ts';
import { fetchFile } from './fetch-file.ts';

const EXPECTED = { type: /^application\/(?:[\w.-]+\+)?json$/, maxBytes: 20_000 };

/**
 * Fetches a JSON document of at most 20 kB, as `fetchFile` does. Undefined if there is none. Strangers choose the address, so that
 * it is a public one: what the operator allows for connections does not apply.
 */
export async function fetchJson(
  url: string,
  privateHosts: PrivateHosts = parsePrivateHosts(undefined),
): Promise<unknown> {
  const file = await fetchFile(url, { ...EXPECTED, privateHosts });
  if (!file) return undefined;
  try {
    return JSON.parse(file.bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
