import { type Request, ServiceError } from '@unified/contract';
import { refuseOtherCustomer } from '@unified/engine';
import {
  type ApplicationScope,
  embedSettings,
  endEmbedSessionsOf,
  formsOfConnection,
  listRedirectUris,
  lockEmbedSessions,
  recentEmbedSessions,
  setEmbedSwitch,
  createEmbedSession as storeSession,
  saveEmbedSettings as storeSettings,
} from '@unified/store';
import { EMBED_PATH, framingOrigin } from '../embedding.ts';
import { savedProblem } from '../forms/connection-forms.ts';
import type { FormSchema } from '../forms/form-values.ts';
import { quoted, requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { noConnection } from './no-connection.ts';
import { once } from './once.ts';

/**
 * Returns the address of the page, with the token that opens it once. Throws SERVICE_INVALID_BODY, and SERVICE_RATE_LIMITED if
 * the application has created too many sessions.
 */
export async function createEmbedSession(request: Request<'createEmbedSession'>, context: ManagementContext) {
  const { clientId, publicUrl } = context;
  const create = async () => {
    const { origin: wanted, ...given } = request.body;
    checkPlatforms(given.platforms, context);
    await refuseOtherCustomer(context.application, given.endCustomerId);
    const origin = await originOf(wanted, context);
    return context.audited(async (application, record) => {
      await refuseTooMany(application);
      const made = await storeSession(application, { ...given, clientId, origin });
      if (!made) throw invalid('connectionId', 'The end customer has no connection with this id.');
      const { id, token, expiresAt } = made;
      await record({ action: 'embed_session.create', target: id, after: { ...given, clientId, origin, expiresAt } });
      // Only holders of the token get the origin, which the surrounding page compares with its own.
      const url = `${publicUrl}${EMBED_PATH}/${id}?${new URLSearchParams({ origin })}#${token}`;
      return { data: { id, url, origin, expiresAt } };
    });
  };
  return once(request, context, create, ({ data }) => ({
    action: 'embed_session.read',
    target: data.id,
    after: { ...request.body, ...data, clientId },
  }));
}

/**
 * Maximum number of sessions per application and hour: enough for its end users, but not for guessing passwords of connected
 * systems.
 */
const MOST_SESSIONS = 600;

async function refuseTooMany(application: ApplicationScope): Promise<void> {
  await lockEmbedSessions(application);
  const { count, seconds } = await recentEmbedSessions(application);
  if (count < MOST_SESSIONS) return;
  const message = `An application can create ${MOST_SESSIONS} embed sessions per hour. Try again later.`;
  throw new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter: seconds });
}

/**
 * The origin that was sent, or the origin of the oldest redirect URI that has one. The console, which is at the origin of this
 * server, embeds pages without a redirect URI. Throws SERVICE_INVALID_BODY.
 */
async function originOf(
  wanted: string | undefined,
  { application, clientId, publicUrl, origin: { actorType } }: ManagementContext,
): Promise<string> {
  if (actorType === 'operator' && wanted === new URL(publicUrl).origin) return wanted;
  const uris = (await listRedirectUris(application, clientId)) ?? [];
  const origins = uris.flatMap(({ uri }) => framingOrigin(uri) ?? []);
  const origin = wanted ?? origins[0];
  if (origin === undefined)
    throw invalid(
      'origin',
      'The client has no redirect URI whose origin can embed pages. Add one with addRedirectUri.',
    );
  if (!origins.includes(origin))
    throw invalid(
      'origin',
      `No redirect URI of the client has the origin ${quoted(origin)}. Add one with addRedirectUri.`,
    );
  return origin;
}

function checkPlatforms(wanted: readonly string[] | undefined, { platforms }: ManagementContext): void {
  const known = platforms().map(({ id }) => id);
  const unknown = wanted?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw invalid('platforms', `There is no platform ${quoted(unknown)}. Use ${known.join(', ')}.`);
}

function invalid(property: string, message: string) {
  return requestError('SERVICE_INVALID_BODY', `body/${property}`, message);
}

/** Empty if nothing was saved. Throws SERVICE_NOT_FOUND. */
export async function getEmbedSettings({ path }: Request<'getEmbedSettings'>, { application }: ManagementContext) {
  const data = await embedSettings(application, path.id);
  if (!data) throw noConnection();
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_INVALID_BODY for values that the page would not accept. */
export async function saveEmbedSettings({ path, body }: Request<'saveEmbedSettings'>, { audited }: ManagementContext) {
  return audited(async (application, record) => {
    const before = await embedSettings(application, path.id);
    if (!before) throw noConnection();
    const forms = await formsOfConnection<FormSchema>(application, path.id);
    const problem = savedProblem(forms, body.values, before.values);
    if (problem) throw invalid(`values/${problem.name}`, problem.message);
    const data = await storeSettings(application, path.id, body.values);
    if (!data) throw noConnection();
    // The values belong to the end customer, and may be secret.
    const after = { fields: Object.keys(body.values) };
    await record({ action: 'embed_settings.save', target: path.id, after });
    return { status: 200, body: { data } } as const;
  });
}

/** Closing ends all embed sessions of the application. */
export async function setEmbedKillSwitch({ body }: Request<'setEmbedKillSwitch'>, { audited }: ManagementContext) {
  const { isActive, reason = null } = body;
  return audited(async (application, record) => {
    const changedAt = await setEmbedSwitch(application, { isClosed: isActive, reason });
    const action = isActive ? 'embed.close' : 'embed.reopen';
    await record({ action, target: application.applicationId, after: { isActive, reason } });
    return { status: 200, body: { data: { isActive, reason, changedAt } } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function disconnectEmbed(request: Request<'disconnectEmbed'>, context: ManagementContext) {
  const { connections } = context;
  const { id } = request.path;
  const done = await once({ ...request, body: null }, context, async () => {
    const { updatedAt } = await connections.setActive(id, false);
    await context.audited(async (application, record) => {
      await endEmbedSessionsOf(application, id);
      await record({ action: 'connection.disconnect', target: id, after: { status: 'inactive' } });
    });
    return { data: { connectionId: id, disconnectedAt: updatedAt } };
  });
  return { ...done, status: 200 } as const;
}
