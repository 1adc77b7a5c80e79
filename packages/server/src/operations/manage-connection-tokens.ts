import { accessProblem, type Request, ServiceError } from '@unified/contract';
import type { ConnectionToken } from '@unified/store';
import { requestError, suggestion } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

type Access = NonNullable<Request<'createConnectionToken'>['body']['access']>;

const DAY_MS = 24 * 3_600_000;

/**
 * Issues a token, which is shown again only if the request is repeated. Throws SERVICE_NOT_FOUND, SERVICE_INVALID_BODY and
 * SERVICE_FORBIDDEN.
 */
export async function createConnectionToken(request: Request<'createConnectionToken'>, context: ManagementContext) {
  const { id: connectionId } = request.path;
  checkPassthrough(request.body.scopes, context.role);
  const issue = async () => {
    const { name, expiresInDays: days, scopes } = request.body;
    const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
    const wanted = { name, expiresAt, scopes, access: accessIn(request.body) };
    const { token, lastUsedAt: _, ...issued } = await context.connections.issueToken(connectionId, wanted);
    return { data: { ...described(issued), token } };
  };
  return once(request, context, issue, ({ data }) => ({
    action: 'token.read',
    target: data.id,
    after: { ...data, connectionId },
  }));
}

/** Tokens without their values, oldest first. Throws SERVICE_NOT_FOUND. */
export async function listConnectionTokens(
  { path, query }: Request<'listConnectionTokens'>,
  { connections }: ManagementContext,
) {
  const { per_page = 50, cursor } = query;
  const tokens = await connections.tokensOf(path.id, { after: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(tokens.map(described), per_page) } as const;
}

/** Throws SERVICE_NOT_FOUND for an unknown token, and for one that was already revoked. */
export async function revokeConnectionToken(
  { path }: Request<'revokeConnectionToken'>,
  { connections }: ManagementContext,
) {
  await connections.revokeToken(path.id, path.tokenId);
  return { status: 204 } as const;
}

/** Calls of the connected system are not limited to entities, so that in the console only admins may allow them. */
function checkPassthrough(scopes: Request<'createConnectionToken'>['body']['scopes'], role: ManagementContext['role']) {
  if (role === undefined || role === 'admin' || !scopes?.includes('passthrough')) return;
  throw new ServiceError('SERVICE_FORBIDDEN', 'The scope passthrough needs the role admin. Ask an admin.');
}

/** A token as the document describes it. Its entities were checked when it was issued. */
function described<Token extends Pick<ConnectionToken, 'scopes' | 'access'>>(token: Token) {
  return { ...token, scopes: [...token.scopes], access: token.access as Access | null };
}

/** What a new token is to give access to; undefined means everything. Throws `SERVICE_INVALID_BODY`. */
function accessIn({ access }: Request<'createConnectionToken'>['body']) {
  const problem = accessProblem(access ?? []);
  if (!problem) return access;
  const { sent, allowed } = problem.unknown ?? { sent: '', allowed: [] };
  const { advice, detail } = suggestion(sent, allowed);
  throw requestError('SERVICE_INVALID_BODY', `body/access/${problem.path}`, `${problem.message}${advice}`, detail);
}
