import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp, type ServerResponse } from 'node:http';
import { request as overHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** A whole response. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Not compressed. */
  readonly body: Buffer;
}

const decompress = promisify(gunzip);

/** The first bytes of a compressed body. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Sends a request with this body to a system, and returns its response. */
export async function forwarded(
  system: URL,
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
): Promise<Received> {
  const send = system.protocol === 'https:' ? overHttps : overHttp;
  // A body that is not compressed can be reordered, cut and searched.
  const sent = { ...headers, host: system.host, connection: 'close', 'accept-encoding': 'identity' };
  // Appended, because a path such as `//host/` would otherwise name another host.
  const target = new URL(system.origin + (url ?? '/'));
  // Without an agent, which reuses the socket of a response that does not repeat `Connection: close`, though the system closes it.
  const outgoing = send(target, { method, headers: sent, agent: false }).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  const { 'content-encoding': encoding, ...others } = response.headers;
  const status = response.statusCode ?? 502;
  if (encoding !== 'gzip') return { status, headers: response.headers, body: received };
  // Tryton 8.2 marks long responses as compressed even if the request does not accept that, and they are not compressed.
  const isCompressed = received.subarray(0, 2).equals(GZIP);
  return { status, headers: others, body: isCompressed ? await decompress(received) : received };
}

/** The same response with links to another origin. */
export function withLinksTo({ status, headers, body }: Received, from: string, to: string): Received {
  const linked = (text: string | undefined) => text?.replaceAll(from, to);
  const [link, location] = [linked(headers.link?.toString()), linked(headers.location)];
  return {
    status,
    headers: { ...headers, ...(link !== undefined && { link }), ...(location !== undefined && { location }) },
    body: isText(headers) && body.includes(from) ? Buffer.from(body.toString().replaceAll(from, to)) : body,
  };
}

function isText(headers: IncomingHttpHeaders): boolean {
  return /json|xml|text/.test(headers['content-type'] ?? '');
}

/** Sends the response. */
export function respond(response: ServerResponse, received: Received): void {
  response.writeHead(received.status, headersOf(received)).end(received.body);
}

/** The headers of the response, with the length of its body. */
export function headersOf({ headers, body }: Received): IncomingHttpHeaders {
  const { 'transfer-encoding': _, connection: __, ...others } = headers;
  return { ...others, 'content-length': String(body.length) };
}
