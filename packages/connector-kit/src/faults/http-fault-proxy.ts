import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { forwarded, headersOf, type Received, respond, withLinksTo } from '../http/forwarding.ts';
import { startHttpServer } from '../http/http-server.ts';
import type { Fault, FaultPlan } from './fault-plan.ts';
import { type FaultProxy, LATENCY_MS, RETRY_AFTER_SECONDS } from './fault-proxy.ts';
import { LastList } from './last-list.ts';
import { withReorderedRows } from './reordered-rows.ts';

/** Starts a proxy for an HTTP system. Links to the system in its responses point to the proxy. */
export async function startHttpFaultProxy(target: string, plan: FaultPlan): Promise<FaultProxy> {
  const system = new URL(target);
  const lists = new LastList<Received>();
  const server = await startHttpServer(serve);
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const fault = plan.next();
    const refused = refusalOf(fault);
    if (fault !== null && (fault === 'latency' || fault === 'reset-before' || refused)) plan.note(fault);
    if (fault === 'latency') await pause(LATENCY_MS);
    if (fault === 'reset-before') return void response.destroy();
    if (refused) return respond(response, refused);
    const before = lists.pageBefore(request);
    const whole = withLinksTo(await forwarded(system, request, body), system.origin, server.origin);
    lists.keep(request, whole);
    const sent = replaced(fault, whole, before);
    if (fault !== null && (sent !== whole || fault === 'reset-after' || fault === 'truncated')) plan.note(fault);
    if (fault === 'reset-after') return void response.destroy();
    if (fault === 'truncated') return truncated(response, whole);
    respond(response, sent);
  }
  return { url: server.origin + target.slice(system.origin.length), close: server.close };
}

const PAGE: Received = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<!doctype html><title>Maintenance</title><p>Please come back later.</p>'),
};

/** A response to a request that is not forwarded; null if it is forwarded. */
function refusalOf(fault: Fault | null): Received | null {
  switch (fault) {
    case 'throttled':
      return { status: 429, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, body: Buffer.alloc(0) };
    case 'error-500':
      return { ...PAGE, status: 500 };
    case 'error-503':
      return { ...PAGE, status: 503 };
    case 'html':
      return PAGE;
    default:
      return null;
  }
}

/** The response that is sent instead of the one from the system; the same if the fault does not change it. */
function replaced(fault: Fault | null, received: Received, pageBefore: Received | undefined): Received {
  switch (fault) {
    case 'error-504-after':
      return { ...PAGE, status: 504 };
    case 'html-after':
      return PAGE;
    case 'reordered': {
      const body = withReorderedRows(received.body);
      return body === received.body ? received : { ...received, body };
    }
    case 'repeated':
      return pageBefore ?? received;
    default:
      return received;
  }
}

/** Announces the length of the whole body, and closes the connection after half of it. */
function truncated(response: ServerResponse, received: Received): void {
  response.writeHead(received.status, headersOf(received));
  response.write(received.body.subarray(0, received.body.length / 2), () => response.destroy());
}
