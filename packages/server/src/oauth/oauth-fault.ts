import { type ErrorCode, ServiceError } from '@unified/contract';

/** Values of `error` in RFC 6749, section 5.2, and RFC 8707 that requests cause. */
export type OAuthErrorKind =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type';

/** Why a token request was refused: as an error of RFC 6749 and, for `/link/token`, as a code of the data API. */
export class OAuthFault extends ServiceError {
  readonly kind: OAuthErrorKind;

  constructor(kind: OAuthErrorKind, code: ErrorCode, message: string) {
    super(code, message);
    this.kind = kind;
  }
}

/** The error for a request whose parameters are missing or cannot be combined. */
export function invalidRequest(message: string): OAuthFault {
  return new OAuthFault('invalid_request', 'SERVICE_INVALID_BODY', message);
}

/** The error is the same for every reason, so that it does not reveal which clients exist. */
export function invalidClient(): OAuthFault {
  const message = 'The client id or the client secret is wrong or missing.';
  return new OAuthFault('invalid_client', 'SERVICE_INVALID_CLIENT', message);
}

/** The error for a scope that a grant does not have. */
export function invalidScope(scope: string): OAuthFault {
  const message = `The grant does not have the scope "${scope.slice(0, 80)}". Leave scope out.`;
  return new OAuthFault('invalid_scope', 'SERVICE_INVALID_BODY', message);
}
