import type { webhooks } from './generated/types.ts';

/** A kind of event, such as `record.updated`. Later versions of the service may send others. */
export type WebhookEventType = keyof webhooks;

/** The event of a kind. */
export type WebhookEventOf<Type extends WebhookEventType> = Omit<BodyOf<Type>, 'type'> & { readonly type: Type };

/** Any event: `type` determines the form of `data`. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];

type BodyOf<Type extends WebhookEventType> = webhooks[Type]['post']['requestBody']['content']['application/json'];

/** Headers of a request: those of `fetch`, or of Node and its frameworks. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a request is not an event from the service: respond with 400, and do nothing. */
export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body';

/** Thrown for a request that is not an event from the service. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Longest difference between `webhook-timestamp` and this clock, in seconds. */
const TOLERANCE = 300;

/**
 * Verifies a request from the service and returns its event. Store its `webhook-id` and ignore one that you have processed: an
 * event can arrive more than once.
 *
 * @param headers - Headers of the request.
 * @param body - The body exactly as it was received: a body that was parsed and serialized again has a different signature.
 * @param secret - The secret of the endpoint, `whsec_…`; several while you rotate it.
 * @throws {WebhookError} If no signature matches a secret, or if the request is more than 5 minutes older or newer than now.
 */
export async function unwrap(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(headers, name),
  ) as [string, string, string];
  checkTime(timestamp);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSigned(content, signatures.split(' '), secrets)))
    throw new WebhookError('signature', 'No signature matches this body and the secret of the endpoint.');
  return parsed(bytes);
}

function header(headers: WebhookHeaders, name: string): string {
  const found = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  if (typeof found === 'string' && found !== '') return found;
  throw new WebhookError('headers', `The header ${name} is missing.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function checkTime(timestamp: string): void {
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE) return;
  throw new WebhookError('timestamp', `The request was sent at ${timestamp}, more than 5 minutes from this clock.`);
}

async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (!bytes || bytes.length === 0)
      throw new TypeError(
        'The secret is not that of a webhook endpoint: it must be `whsec_` followed by Base64. Set it.',
      );
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      const mac = signature.startsWith('v1,') && fromBase64(signature.slice(3));
      // Compares in constant time.
      if (mac && (await crypto.subtle.verify('HMAC', key, mac, content))) return true;
    }
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function parsed(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookError('body', 'The body is not JSON.');
  }
}
