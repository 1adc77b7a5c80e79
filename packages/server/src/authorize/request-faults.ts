import type { RequestParameters } from './request-parameters.ts';

/** Values of `error` in RFC 6749, section 4.1.2.1, and RFC 8707. */
export type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error';

/** What is wrong with a request of a known client. */
export interface RequestFault {
  readonly error: AuthorizationError;
  readonly description: string;
}

/** Maximum length of `state`; clients store signed data in it. */
const LONGEST_STATE = 2_000;
const CHALLENGE = /^[\w-]{43}$/;

/** `state` as it is returned with an error: absent if it is too long. */
export function returnedState(sent: RequestParameters): string | undefined {
  const state = sent.single('state');
  return (state ?? '').length > LONGEST_STATE ? undefined : state;
}

/** The first fault of what all requests have in common: no repeated parameters, a code as response, and a possible challenge. */
export function commonFault(sent: RequestParameters): RequestFault | undefined {
  const { repeated } = sent;
  if (repeated !== undefined) return fault('invalid_request', `Send ${repeated} once.`);
  const responseType = sent.single('response_type');
  if (responseType === undefined) return fault('invalid_request', 'Send response_type=code.');
  if (responseType !== 'code') return fault('unsupported_response_type', 'response_type must be code.');
  if ((sent.single('state') ?? '').length > LONGEST_STATE)
    return fault('invalid_request', `state must have at most ${LONGEST_STATE} characters.`);
  const challenge = sent.single('code_challenge');
  const method = sent.single('code_challenge_method');
  if ((challenge ?? method) !== undefined && method !== 'S256')
    return fault('invalid_request', 'code_challenge_method must be S256.');
  if (method !== undefined && !CHALLENGE.test(challenge ?? ''))
    return fault('invalid_request', 'code_challenge must be the base64url form of a SHA-256 hash.');
  return undefined;
}

export function fault(error: AuthorizationError, description: string): RequestFault {
  return { error, description };
}
