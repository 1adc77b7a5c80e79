import type { AuditOrigin } from '@unified/store';

/** A request of a browser to the console, as far as sign-in depends on it. */
export interface Visit {
  /** The secret in its cookie; undefined if there is none. */
  readonly secret: string | undefined;
  /** IP address, and the network for which attempts are counted. */
  readonly address: string;
  readonly network: string;
  /** The browser, as it identified itself. */
  readonly browser: string | null;
  readonly requestId: string;
  /** Id of the operation. */
  readonly operation: string;
}

/** An operator as the audit log names it, with the request. */
export function originOf({ operation, requestId, address }: Visit, operatorId: string): AuditOrigin {
  return { actorType: 'operator', actor: operatorId, operation, requestId, address };
}
