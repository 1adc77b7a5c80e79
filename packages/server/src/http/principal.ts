import type { CredentialKind, ServedCredential, ServedSurface } from '@unified/contract';
import type { TokenHolder } from '@unified/store';

/** The sender of a request to an operation that is open to everyone. */
export interface Anonymous {
  readonly credential: 'none';
}

/** The sender of a request with a token of a connection. */
export interface ConnectionPrincipal extends TokenHolder {
  readonly credential: 'connectionToken';
}

/** Who a request comes from, by the kind of credential that proves it. */
export type Principal = Anonymous | ConnectionPrincipal;

/** A principal that a kind of credential proves. */
export type PrincipalBy<Kind extends CredentialKind> = Extract<Principal, { readonly credential: Kind }>;

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
