import {
  type CredentialKind,
  type Operation,
  type ServedCredential,
  type ServedSurface,
  ServiceError,
} from '@unified/contract';
import type { TokenHolder } from '@unified/store';

/**
 * Finds the principal that a header `Authorization` proves. Rejects with `SERVICE_UNAUTHORIZED` when it proves none, and
 * with another code when the credential is known and not valid, or cannot be looked up.
 */
export type Authenticator<Proven extends Principal = Principal> = (
  authorization: string | undefined,
) => Promise<Proven>;

/** One authenticator per kind of credential. A kind that a served operation accepts must have one. */
export type Authenticators = { readonly [Kind in ServedCredential]: Authenticator<PrincipalBy<Kind>> } & {
  readonly [Kind in CredentialKind]?: Authenticator<PrincipalBy<Kind>>;
};

/** Finds who sends a request to an operation; undefined: to an address that has none. */
export type Authenticate = (operation: Operation | undefined, authorization: string | undefined) => Promise<Principal>;

/**
 * Authentication as the document has it for each operation (`security`): by one of the kinds of credentials that the
 * operation accepts. A request for what this release does not serve may carry a credential of any kind; it is identified
 * only so that it can be counted.
 */
export function createAuthenticate(authenticators: Authenticators): Authenticate {
  const implemented: Partial<Readonly<Record<CredentialKind, Authenticator>>> = authenticators;
  const known = Object.values(authenticators);
  return async (operation, authorization) => {
    if (operation && isOpen(operation)) return { credential: 'none' };
    const isServed = operation !== undefined && operation.kind !== 'planned';
    const accepted = isServed ? operation.security.flatMap((kind) => implemented[kind] ?? []) : known;
    return firstOf(accepted, authorization);
  };
}

/** Whether an operation needs no credentials. */
function isOpen({ security }: Operation): boolean {
  return security.length === 0;
}

/** The first principal found. The credential is unknown when it is unknown to all. */
async function firstOf(authenticators: readonly Authenticator[], authorization: string | undefined) {
  let unknown = new ServiceError('SERVICE_UNAUTHORIZED', 'No credentials are accepted here in this release.');
  for (const [index, authenticator] of authenticators.entries()) {
    try {
      return await authenticator(authorization);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAUTHORIZED') throw error;
      if (index === 0) unknown = error;
    }
  }
  throw unknown;
}

/** The sender of a request to an operation that is open to everyone. */
interface Anonymous {
  readonly credential: 'none';
}

/** The sender of a request with a token of a connection. */
export interface ConnectionPrincipal extends TokenHolder {
  readonly credential: 'connectionToken';
}

/** Who a request comes from, by the kind of credential that proves it. */
export type Principal = Anonymous | ConnectionPrincipal;

/** A principal that a kind of credential proves. */
type PrincipalBy<Kind extends CredentialKind> = Extract<Principal, { readonly credential: Kind }>;

/** The principals that the operations of a surface may be called by. */
export type PrincipalOf<S extends ServedSurface> = [ServedCredential<S>] extends [never]
  ? Anonymous
  : PrincipalBy<ServedCredential<S>>;

/** The application that a principal belongs to. */
export function applicationOf(principal: Principal | undefined): string | undefined {
  return principal?.credential === 'connectionToken' ? principal.applicationId : undefined;
}

/** The connection that a principal stands for. */
export function connectionOf(principal: Principal | undefined): string | undefined {
  return principal?.credential === 'connectionToken' ? principal.connectionId : undefined;
}
