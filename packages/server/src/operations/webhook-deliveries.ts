import { type Request, ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  changesAfter,
  deliveryById,
  pageOfDeliveries,
  replayChanges,
  replayDelivery,
  replayPeriod,
  type WebhookEndpoint,
  webhookEndpoint,
} from '@unified/store';
import { parseTimestamp } from '../query/timestamp.ts';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { noEndpoint } from './manage-webhook-endpoints.ts';
import { once } from './once.ts';

/** Newest first. Throws SERVICE_NOT_FOUND. */
export async function listWebhookDeliveries(
  { path, query }: Request<'listWebhookDeliveries'>,
  { application }: ManagementContext,
) {
  const { per_page = 50, cursor, status, event, eventId } = query;
  await existing(application, path.endpointId);
  const wanted = { status, event, eventId, before: idOfCursor(cursor), limit: per_page + 1 };
  const rows = await pageOfDeliveries(application, path.endpointId, wanted);
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** With its payload and attempts. Throws SERVICE_NOT_FOUND. */
export async function getWebhookDelivery({ path }: Request<'getWebhookDelivery'>, { application }: ManagementContext) {
  const data = await deliveryById(application, path.endpointId, path.deliveryId);
  if (!data) throw noDelivery();
  return { status: 200, body: { data } } as const;
}

/** Sends a test event and returns its delivery. Throws SERVICE_NOT_FOUND. */
export async function testWebhookEndpoint(request: Request<'testWebhookEndpoint'>, context: ManagementContext) {
  const { endpointId } = request.path;
  const send = async () => {
    const data = await context.sendTestEvent(endpointId);
    if (!data) throw noEndpoint();
    await context.audited((_, record) =>
      record({ action: 'webhook_delivery.test', target: data.id, after: { ...data, endpointId } }),
    );
    return { data };
  };
  return { ...(await once({ ...request, body: null }, context, send)), status: 200 } as const;
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_INVALID_BODY for a body that has none of the three forms. */
export async function replayWebhooks(request: Request<'replayWebhooks'>, context: ManagementContext) {
  const { endpointId } = request.path;
  const replay = () =>
    context.audited(async (application, record) => {
      const endpoint = await existing(application, endpointId);
      const events = await replayed(application, endpoint, request.body, context);
      const after = { ...endpoint, replay: { ...request.body, events } };
      await record({ action: 'webhook_endpoint.replay', target: endpointId, before: endpoint, after });
      return { data: { events } };
    });
  return { ...(await once(request, context, replay)), status: 202 } as const;
}

type Wanted = Request<'replayWebhooks'>['body'];

/** Starts the replay that the body requests in one of its forms, and returns the number of events. */
async function replayed(
  application: ApplicationScope,
  endpoint: WebhookEndpoint,
  { deliveryId, since, until, connectionId, cursor }: Wanted,
  context: ManagementContext,
): Promise<number> {
  const sent = JSON.stringify([deliveryId, since, until, connectionId, cursor].map((value) => value !== undefined));
  if (deliveryId !== undefined && sent === ONE_DELIVERY) {
    if (!(await replayDelivery(application, endpoint.id, deliveryId))) throw noDelivery();
    return 1;
  }
  if (since !== undefined && PERIODS.includes(sent)) {
    return replayPeriod(application, endpoint, {
      since: timeIn('since', since),
      until: until === undefined ? new Date().toISOString() : timeIn('until', until),
    });
  }
  if (connectionId !== undefined && cursor !== undefined && sent === CHANGES) {
    await checkCursor(connectionId, cursor, context);
    return replayChanges(application, endpoint, { connectionId, seq: cursor });
  }
  throw requestError('SERVICE_INVALID_BODY', 'body', FORMS);
}

/** Which of the properties were sent. */
const ONE_DELIVERY = '[true,false,false,false,false]';
const PERIODS = ['[false,true,false,false,false]', '[false,true,true,false,false]'];
const CHANGES = '[false,false,false,true,true]';

const FORMS = 'Send a `deliveryId`, a period (`since`, `until`), or a `connectionId` with a `cursor`.';

function timeIn(name: string, text: string): string {
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw requestError('SERVICE_INVALID_BODY', `body/${name}`, 'Send a date-time that exists.');
}

/**
 * Throws SERVICE_NOT_FOUND for an unknown connection, and SERVICE_INVALID_BODY for a cursor after which some changes are no
 * longer kept.
 */
async function checkCursor(connectionId: string, cursor: string, { connections }: ManagementContext): Promise<void> {
  const scope = await connections.scopeOf(connectionId);
  await changesAfter(scope, cursor, 1).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || !CURSOR_FAULTS.includes(error.code)) throw error;
    throw requestError('SERVICE_INVALID_BODY', 'body/cursor', error.message);
  });
}

const CURSOR_FAULTS = ['SERVICE_CURSOR_EXPIRED', 'SERVICE_INVALID_CURSOR'];

async function existing(application: ApplicationScope, endpointId: string): Promise<WebhookEndpoint> {
  const endpoint = await webhookEndpoint(application, endpointId);
  if (!endpoint) throw noEndpoint();
  return endpoint;
}

function noDelivery(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The endpoint has no delivery with this id.');
}
