import { createHmac } from 'node:crypto';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import { HttpFailure, retryAfterSeconds } from '../http/http-failure.ts';
import { isFailedAddress } from '../net/address-guard.ts';

/** An event to send, as specified by Standard Webhooks 1.0.0. */
export interface SignedEvent {
  /** `webhook-id`: the same in all attempts. */
  readonly id: string;
  /** The JSON text. */
  readonly body: string;
  /** Secrets of the form `whsec_…`. The event is signed with each of them. */
  readonly secrets: readonly string[];
}

/** The outcome of one request. */
export interface WebhookResponse {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Beginning of the response, without the secrets and signatures of the event. */
  readonly excerpt: string | null;
  /** Why there was no response; never an address inside the network of the service. */
  readonly error: string | null;
  /** Seconds to wait according to `Retry-After`, at most 24 hours. */
  readonly retryAfter: number | undefined;
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentAt: number;
  readonly durationMs: number;
}

/** Sends events to webhook endpoints. */
export interface WebhookClient {
  /** Sends an event once. Redirects are not followed. Never rejects because of the endpoint. */
  send(url: string, event: SignedEvent, signal?: AbortSignal): Promise<WebhookResponse>;
  close(): Promise<void>;
}

/** Milliseconds within which an endpoint must respond. */
const LONGEST_MS = 15_000;
/** Maximum number of bytes that are read from a response. */
const LARGEST = 65_536;
/** Maximum number of concurrent requests to one origin. */
const CONNECTIONS = 64;
/** Maximum number of characters of a response that are kept. */
const EXCERPT = 1_000;

/** Opens a client for public addresses and those that the operator allows, with its own sockets. */
export function openWebhookClient(): WebhookClient {
  const client = createHttpClient({
    ...{ timeoutMs: LONGEST_MS, connectTimeoutMs: LONGEST_MS, maxBodyBytes: LARGEST, connections: CONNECTIONS },
  });
  return { send: (url, event, signal) => sendBy(client, url, event, signal), close: () => client.close() };
}

async function sendBy(
  client: HttpClient,
  url: string,
  event: SignedEvent,
  signal: AbortSignal | undefined,
): Promise<WebhookResponse> {
  const sentAt = Date.now();
  const started = performance.now();
  const headers = headersOf(event, Math.floor(sentAt / 1000));
  const hide = (text: string) => shownText(text, [...event.secrets, ...headers['webhook-signature'].split(' ')]);
  const sent = () => ({ sentAt, durationMs: Math.round(performance.now() - started) });
  try {
    const request = {
      method: 'POST',
      url: new URL(url),
      headers,
      body: event.body,
      ...(signal && { signal }),
    } as const;
    const { status, headers: received, body } = await client.send(request);
    const retryAfter = retryAfterSeconds(received['retry-after']);
    return { status, excerpt: hide(body.toString('utf8')), error: null, retryAfter, ...sent() };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    // The status of a response counts, whatever the length of its body.
    if (error.reason === 'too-large' && error.status !== undefined)
      return { status: error.status, excerpt: null, error: null, retryAfter: undefined, ...sent() };
    return { status: null, excerpt: null, error: hide(reasonOf(error)), retryAfter: undefined, ...sent() };
  }
}

function headersOf({ id, body, secrets }: SignedEvent, timestamp: number) {
  return {
    'content-type': 'application/json',
    'user-agent': 'unified-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(`${id}.${timestamp}.${body}`, secret)).join(' '),
  };
}

/** The signature of Standard Webhooks: the key is the decoded part of the secret after its prefix. */
function signatureOf(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Addresses of a name in the network of the service are not shown to its clients. */
function reasonOf(error: HttpFailure): string {
  return isFailedAddress(error) ? NOT_PUBLIC : error.message;
}

const NOT_PUBLIC =
  'The host does not exist or is not public. The operator of the service can allow others with ALLOW_PRIVATE_HOSTS.';

/** Replaces secrets, and control characters, which a database or a terminal would not accept. */
function shownText(text: string, secrets: readonly string[]): string {
  const hidden = secrets.flatMap((secret) => [secret, secret.replace(/^(whsec_|v1,)/, '')]);
  const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text).slice(0, EXCERPT);
  return shown.replace(/(?![\t\n])\p{Cc}/gu, '\u{FFFD}').toWellFormed();
}
