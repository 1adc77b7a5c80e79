import {
  audited,
  issueManagementToken,
  issueSessionToken,
  type OpenConsoleSession,
  type Store,
  type TokenScope,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import { originOf, type Visit } from './visit.ts';

/** A token for the console. */
export interface SessionToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Issues a token for the Management API of an application. Throws `SERVICE_INVALID_BODY` if there is none with this id. */
export function managementToken(
  store: Store,
  { session, operator }: OpenConsoleSession,
  applicationId: string,
  visit: Visit,
): Promise<SessionToken> {
  return audited(store, originOf(visit, operator.id), async (inner, record) => {
    const issued = await issueManagementToken(inner, session.id, applicationId);
    if (!issued) throw requestError('SERVICE_INVALID_BODY', 'body/applicationId', 'There is no such application.');
    const { token, expiresAt, id } = issued;
    const after = { operatorId: operator.id, sessionId: session.id, applicationId, expiresAt };
    await record(applicationId, { action: 'console_token.create', target: id, after });
    return { token, expiresAt };
  });
}

/** Issues a token for the data of a connection: a viewer's can only read. Throws `SERVICE_INVALID_BODY` for an unknown one. */
export function connectionToken(
  store: Store,
  { session, operator }: OpenConsoleSession,
  connectionId: string,
  visit: Visit,
): Promise<SessionToken> {
  const scopes: readonly TokenScope[] = operator.role === 'viewer' ? ['read'] : ['read', 'write'];
  return audited(store, originOf(visit, operator.id), async (inner, record) => {
    const issued = await issueSessionToken(inner, session.id, { connectionId, scopes });
    if (!issued) throw requestError('SERVICE_INVALID_BODY', 'body/connectionId', 'There is no such connection.');
    const { token, expiresAt, id, applicationId } = issued;
    const after = { operatorId: operator.id, sessionId: session.id, connectionId, scopes, expiresAt };
    await record(applicationId, { action: 'console_token.create', target: id, after });
    return { token, expiresAt };
  });
}
