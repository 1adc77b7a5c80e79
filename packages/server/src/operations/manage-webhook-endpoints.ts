import { type Request, ServiceError } from '@unified/contract';
import { webhookAddressFault } from '@unified/engine';
import {
  changeConnections,
  createWebhookEndpoint,
  lockWebhookEndpoint,
  MOST_ENDPOINTS,
  deleteWebhookEndpoint as removeEndpoint,
  rotateWebhookSecret as rotateSecret,
  skipChanges,
  skipMissed,
  listWebhookEndpoints as storedEndpoints,
  TooManyEndpoints,
  unknownConnection,
  updateWebhookEndpoint as updateEndpoint,
  type WebhookEndpoint,
  webhookEndpoint,
} from '@unified/store';
import { quoted, requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

/** Endpoints of the application, oldest first, without their secrets. */
export async function listWebhookEndpoints(
  { query }: Request<'listWebhookEndpoints'>,
  { application }: ManagementContext,
) {
  const { per_page = 50, cursor } = query;
  const rows = await storedEndpoints(application, { after: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(rows.map(shown), per_page) } as const;
}

/** Returns the endpoint with its secret. Throws SERVICE_INVALID_BODY for an address that may not be called. */
export async function registerWebhookEndpoint(request: Request<'registerWebhookEndpoint'>, context: ManagementContext) {
  const { url, events, entities = [], connectionIds = [], payload = 'thin' } = request.body;
  const given = {
    url,
    events: unique(events),
    entities: unique(entities),
    connectionIds: unique(connectionIds),
    payload,
  };
  const create = async () => {
    await checkEndpoint(given, context);
    return context.audited(async (application, record) => {
      const { endpoint, secret } = await createWebhookEndpoint(application, given).catch(tooMany);
      await record({ action: 'webhook_endpoint.create', target: endpoint.id, after: endpoint });
      return { data: { endpoint: shown(endpoint), secret } };
    });
  };
  return once(request, context, create, readSecret);
}

/** Throws SERVICE_NOT_FOUND. */
export async function getWebhookEndpoint({ path }: Request<'getWebhookEndpoint'>, { application }: ManagementContext) {
  const found = await webhookEndpoint(application, path.endpointId);
  if (!found) throw noEndpoint();
  return { status: 200, body: { data: shown(found) } } as const;
}

/** Changes the fields that are sent. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY. */
export async function updateWebhookEndpoint(
  { path, body }: Request<'updateWebhookEndpoint'>,
  context: ManagementContext,
) {
  const { endpointId } = path;
  const { resume = 'missed', ...changes } = body;
  await checkEndpoint(changes, context);
  return context.audited(async (application, record) => {
    const before = await lockWebhookEndpoint(application, endpointId);
    if (!before) throw noEndpoint();
    const events = changes.events && unique(changes.events);
    // An endpoint that received no events about records has not followed the change logs.
    if (events?.some(isRecordEvent) && !before.events.some(isRecordEvent)) await skipChanges(application, endpointId);
    if (changes.isActive && !before.isActive && resume === 'new') await skipMissed(application, endpointId);
    const { connectionIds } = changes;
    if (connectionIds) {
      await changeConnections(application, endpointId, { before: before.connectionIds, after: connectionIds });
    }
    const after = await updateEndpoint(application, endpointId, { ...changes, ...(events && { events }) });
    if (!after) throw noEndpoint();
    await record({ action: 'webhook_endpoint.update', target: endpointId, before, after });
    return { status: 200, body: { data: shown(after) } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteWebhookEndpoint(
  { path }: Request<'deleteWebhookEndpoint'>,
  { audited }: ManagementContext,
) {
  const { endpointId } = path;
  return audited(async (application, record) => {
    const before = await lockWebhookEndpoint(application, endpointId);
    if (!before) throw noEndpoint();
    await removeEndpoint(application, endpointId);
    await record({ action: 'webhook_endpoint.delete', target: endpointId, before });
    return { status: 204 } as const;
  });
}

/** Returns the new secret. Throws SERVICE_NOT_FOUND. */
export async function rotateWebhookSecret(request: Request<'rotateWebhookSecret'>, context: ManagementContext) {
  const { endpointId } = request.path;
  const { overlapHours = 24 } = request.body ?? {};
  const rotate = () =>
    context.audited(async (application, record) => {
      const before = await lockWebhookEndpoint(application, endpointId);
      if (!before) throw noEndpoint();
      const { endpoint, secret } = await rotateSecret(application, endpointId, overlapHours);
      await record({ action: 'webhook_endpoint.rotate_secret', target: endpointId, before, after: endpoint });
      return { data: { endpoint: shown(endpoint), secret } };
    });
  return { ...(await once(request, context, rotate, readSecret)), status: 200 } as const;
}

/** The error for an endpoint that the application does not have. */
export function noEndpoint(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no webhook endpoint with this id.');
}

/** What the audit log records when a secret is returned again. */
function readSecret({ data }: { readonly data: { readonly endpoint: object & { readonly id: string } } }) {
  const { endpoint } = data;
  return { action: 'webhook_endpoint.read_secret', target: endpoint.id, after: endpoint } as const;
}

/** Throws SERVICE_INVALID_BODY for an address that may not be called, and for connections of other applications. */
async function checkEndpoint(
  { url, connectionIds = [] }: { readonly url?: string; readonly connectionIds?: readonly string[] },
  { application }: ManagementContext,
): Promise<void> {
  const fault = url === undefined ? undefined : webhookAddressFault(url);
  if (fault !== undefined) throw requestError('SERVICE_INVALID_BODY', 'body/url', fault);
  const unknown = await unknownConnection(application, connectionIds);
  if (unknown === undefined) return;
  throw requestError(
    'SERVICE_INVALID_BODY',
    'body/connectionIds',
    `The application has no connection ${quoted(unknown)}. Send the ids of its connections, or none for all.`,
  );
}

function tooMany(error: unknown): never {
  if (!(error instanceof TooManyEndpoints)) throw error;
  const message = `An application can have ${MOST_ENDPOINTS} webhook endpoints. Delete one first.`;
  throw new ServiceError('SERVICE_INVALID_BODY', message);
}

function isRecordEvent(event: string): boolean {
  return event.startsWith('record.');
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** An endpoint as the document describes it. */
function shown({ events, entities, connectionIds, ...endpoint }: WebhookEndpoint) {
  return {
    ...endpoint,
    events: [...events],
    entities: entities as Request<'registerWebhookEndpoint'>['body']['entities'] & object,
    connectionIds: [...connectionIds],
  };
}
