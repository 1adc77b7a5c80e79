import { ServiceError } from '@unified/contract';
import { CONNECTION_TOKEN_FORM } from '@unified/store';

const BEARER = /^Bearer +([\w.~+/-]{16,2000}=*)$/i;
const SCHEME = /^([a-z][a-z-]{1,19}) +\S/i;

/**
 * The token of a header `Authorization: Bearer …`. Throws `SERVICE_UNAUTHORIZED` with what is wrong with the header. The
 * message never contains the token, which may be one of another service.
 */
export function bearerToken(header: string | undefined): string {
  const token = BEARER.exec(header ?? '')?.[1];
  if (token === undefined) throw new ServiceError('SERVICE_UNAUTHORIZED', fault(header));
  return token;
}

function fault(header: string | undefined): string {
  if (header === undefined) return 'Send the header Authorization: Bearer <CONNECTION_TOKEN>.';
  const rest = header.replace(/^Bearer(\s+|$)/i, '').trim();
  const isBearer = rest !== header.trim();
  const form = `A connection token is ${CONNECTION_TOKEN_FORM}.`;
  if (rest === '') return `The header Authorization contains no token. Send Bearer and a connection token. ${form}`;
  if (isBearer)
    return `The token in the header Authorization is malformed (length: ${rest.length}). ${form} Send all of it.`;
  const scheme = SCHEME.exec(header)?.[1];
  if (scheme === undefined)
    return `The header Authorization does not begin with "Bearer ". Send it before the token. ${form}`;
  return `The header Authorization has the scheme ${scheme}. Send Bearer and a connection token. ${form}`;
}
