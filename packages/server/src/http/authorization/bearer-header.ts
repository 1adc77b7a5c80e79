import { ServiceError } from '@unified/contract';
import { CONNECTION_TOKEN_FORM, PERSONAL_ACCESS_TOKEN_FORM } from '@unified/store';

const BEARER = /^Bearer +([\w.~+/-]{16,2000}=*)$/i;
const SCHEME = /^([a-z][a-z-]{1,19}) +\S/i;

/** How messages describe the tokens of a surface. */
export interface DescribedToken {
  readonly placeholder: string;
  readonly noun: string;
  /** Continues the sentence after `<noun> is`. */
  readonly form: string;
}

export const CONNECTION_TOKEN: DescribedToken = {
  placeholder: '<CONNECTION_TOKEN>',
  noun: 'a connection token',
  form: CONNECTION_TOKEN_FORM,
};
export const ACCESS_TOKEN: DescribedToken = {
  placeholder: '<ACCESS_TOKEN>',
  noun: 'an access token',
  form: 'a JSON Web Token from POST /oauth/token',
};
export const PERSONAL_ACCESS_TOKEN: DescribedToken = {
  placeholder: '<PERSONAL_ACCESS_TOKEN>',
  noun: 'a personal access token',
  form: PERSONAL_ACCESS_TOKEN_FORM,
};

/**
 * The token of an `Authorization: Bearer …` header. Throws `SERVICE_UNAUTHORIZED` with a description of the problem. The
 * message never contains the token, which may belong to another service.
 */
export function bearerToken(header: string | undefined, wanted: DescribedToken = CONNECTION_TOKEN): string {
  const token = BEARER.exec(header ?? '')?.[1];
  if (token === undefined) throw new ServiceError('SERVICE_UNAUTHORIZED', fault(header, wanted));
  return token;
}

function fault(header: string | undefined, { placeholder, noun, form: described }: DescribedToken): string {
  if (header === undefined) return `Send the header Authorization: Bearer ${placeholder}.`;
  const rest = header.replace(/^Bearer(\s+|$)/i, '').trim();
  const isBearer = rest !== header.trim();
  const form = `${noun[0]?.toUpperCase()}${noun.slice(1)} is ${described}.`;
  if (rest === '') return `The header Authorization contains no token. Send Bearer and ${noun}. ${form}`;
  if (isBearer)
    return `The token in the header Authorization is malformed (length: ${rest.length}). ${form} Send all of it.`;
  const scheme = SCHEME.exec(header)?.[1];
  if (scheme === undefined)
    return `The header Authorization does not begin with "Bearer ". Send it before the token. ${form}`;
  return `The header Authorization has the scheme ${scheme}. Send Bearer and ${noun}. ${form}`;
}
