import { get, type IncomingMessage } from 'node:http';

/** Bytes of a page and of the style sheets, scripts and images that it names, as they are sent with gzip, by path. */
export async function pageSize(address: string): Promise<Record<string, number>> {
  const page = await open(address);
  const html = await (await fetch(page.url, { headers: { cookie: page.cookie } })).text();
  const paths = [...html.matchAll(/<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
  const parts = paths
    .filter((path) => !path.startsWith('data:'))
    .map((path) => new URL(path.replaceAll('&amp;', '&'), page.url));
  const sizes: Record<string, number> = { page: page.bytes };
  for (const part of parts) sizes[part.pathname] = (await open(part.href, page.cookie)).bytes;
  return sizes;
}

interface Opened {
  readonly url: string;
  readonly cookie: string;
  readonly bytes: number;
}

/** Requests an address and follows redirects. `fetch` would decompress the body. */
async function open(address: string, cookie = ''): Promise<Opened> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'gzip', cookie } }, resolve).on('error', reject);
  });
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  const set = response.headers['set-cookie']?.map((each) => each.split(';')[0]).join('; ') ?? cookie;
  const { location } = response.headers;
  if (location !== undefined) return open(new URL(location, address).href, set);
  if (response.statusCode !== 200) throw new Error(`${address} returned ${response.statusCode}.`);
  return { url: address, cookie: set, bytes };
}
