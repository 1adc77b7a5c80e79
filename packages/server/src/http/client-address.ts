import type { IncomingMessage } from 'node:http';

/**
 * The address of the client. Behind a reverse proxy (`trustProxy`) it is the last entry of `X-Forwarded-For`, the one
 * that the proxy itself has added; entries before it can be made up by the client.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  return last || request.socket.remoteAddress || 'unknown';
}
