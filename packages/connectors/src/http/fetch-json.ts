import { fetchFile } from './fetch-file.ts';

const EXPECTED = { type: /^application\/(?:[\w.-]+\+)?json$/, maxBytes: 20_000 };

/** Fetches a JSON document of at most 20 kB, as `fetchFile` does. Undefined if there is none. */
export async function fetchJson(url: string): Promise<unknown> {
  const file = await fetchFile(url, EXPECTED);
  if (!file) return undefined;
  try {
    return JSON.parse(file.bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
