import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type AuditOrigin,
  audited,
  type ConnectionToken,
  issueConnectionToken,
  type NewToken,
  pageOfConnectionTokens,
  revokeConnectionToken,
  type Store,
} from '@unified/store';

/** Name of a token that is issued without a name. */
const UNNAMED = 'Management API';

/**
 * The tokens of the connections of one application. All functions throw SERVICE_NOT_FOUND for a connection that the
 * application does not have or has deleted. Changes are recorded in the audit log.
 */
export interface ApplicationTokens {
  /** Issues a token; by default it does not expire, and gives access to everything. Its value is not shown again. */
  issueToken(id: string, given: Omit<NewToken, 'connectionId'>): Promise<ConnectionToken & { readonly token: string }>;
  /** Tokens of a connection without their values, oldest first. */
  tokensOf(
    id: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<ConnectionToken[]>;
  /** Revokes a token. Also throws SERVICE_NOT_FOUND for a token that the connection does not have. */
  revokeToken(id: string, tokenId: string): Promise<void>;
}

interface Parts {
  readonly store: Store;
  /** Who makes the changes, for the audit log. */
  readonly origin: AuditOrigin;
  /** Throws SERVICE_NOT_FOUND for a connection that the application cannot use. */
  readonly requireUsable: (id: string) => Promise<unknown>;
}

/** The tokens of an application's connections. */
export function applicationTokens(
  { store, origin, requireUsable }: Parts,
  application: ApplicationScope,
): ApplicationTokens {
  const { applicationId } = application;
  return {
    async issueToken(connectionId, given) {
      await requireUsable(connectionId);
      const wanted = { ...given, connectionId, name: given.name ?? UNNAMED };
      return audited(store, origin, async (within, record) => {
        const issued = await issueConnectionToken(within, wanted);
        const { token: _secret, ...shown } = issued;
        await record(applicationId, { action: 'token.create', target: issued.id, after: { ...shown, connectionId } });
        return issued;
      });
    },
    async tokensOf(connectionId, page) {
      await requireUsable(connectionId);
      return pageOfConnectionTokens(application, { connectionId, ...page });
    },
    async revokeToken(connectionId, tokenId) {
      await requireUsable(connectionId);
      await audited(store, origin, async (within, record) => {
        const revoked = await revokeConnectionToken(within, connectionId, tokenId);
        if (!revoked) throw noToken();
        await record(applicationId, { action: 'token.revoke', target: tokenId, before: { ...revoked, connectionId } });
      });
    },
  };
}

function noToken(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The connection has no token with this id.');
}
