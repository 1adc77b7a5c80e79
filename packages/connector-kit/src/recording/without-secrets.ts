import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '@unified/connectors';
import type { Received } from '../http/forwarding.ts';
import type { Settings } from '../system-under-test.ts';
import { type ProxiedAddress, RECORDED_HOST } from './addresses.ts';
import {
  credentialText,
  isCredential,
  secretsInAddresses,
  secretsInForm,
  secretsInHeaders,
  secretsInJson,
} from './credentials.ts';
import type { Exchange, RecordedRequest, RecordedResponse, Recording } from './exchange.ts';
import { accessOf, RemovedSecrets } from './removed-secrets.ts';

/** A request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An exchange with its secrets. */
export interface ReceivedExchange {
  readonly request: ReceivedRequest;
  readonly response: Received;
}

/** All secrets of a recording: those of the settings, and those in its exchanges. */
export function secretsOf(
  platform: Platform,
  settings: Settings,
  addresses: readonly ProxiedAddress[],
  exchanges: readonly ReceivedExchange[],
): RemovedSecrets {
  const secrets = new RemovedSecrets(platform, settings);
  for (const { request, response } of exchanges) {
    const { path, headers, body } = request;
    const sent = body.toString();
    const found = [
      ...secretsInHeaders(headers),
      ...secretsInForm(path.slice(path.indexOf('?') + 1)),
      ...(isForm(headers) ? secretsInForm(sent) : secretsInJson(sent)),
      ...secretsInHeaders(response.headers),
      ...secretsInJson(response.body.toString()),
      ...[response.body.toString(), response.headers.location, response.headers.link].flatMap((text) =>
        secretsInAddresses(String(text ?? '')),
      ),
    ];
    for (const secret of found) secrets.learn(secret);
  }
  for (const { system, proxy, recorded } of addresses) {
    for (const origin of [proxy, system.origin]) secrets.replace(origin, recorded);
    if (!/^(?:localhost|[\d.]+|\[.*\])$/.test(system.hostname)) secrets.replace(system.hostname, RECORDED_HOST);
  }
  return secrets;
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return /x-www-form-urlencoded/.test(headers['content-type'] ?? '');
}

/** The exchange as it is stored. */
export function withoutSecrets(
  { request, response }: ReceivedExchange,
  secrets: RemovedSecrets,
  platform: Platform,
): Exchange {
  return {
    request: requestWithout(request, (text) => secrets.in(text)),
    response: responseWithout(response, secrets, platform),
  };
}

/** Headers that every client sends. */
const OF_CONNECTION =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|user-agent|trace(?:parent|state)|te)$/;

/** A request in the form in which it is compared; `replaced` changes each of its texts. */
export function requestWithout(
  { method, path, headers, body }: ReceivedRequest,
  replaced: (text: string) => string,
): RecordedRequest {
  const kept = Object.entries(headers)
    .filter(([name]) => !OF_CONNECTION.test(name) && !isCredential(name))
    .map(([name, value]) => [name, replaced(String(value))] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const texts = { path: replaced(path), body: replaced(body.toString()) };
  const access = accessOf([texts.path, texts.body, replaced(credentialText(headers))].join('\n'));
  return { method, ...texts, headers: Object.fromEntries(kept), access };
}

/** Headers that drivers of every platform read. */
const READ =
  /^(?:date|content-type|etag|last-modified|link|location|retry-after|content-range|set-cookie|x-csrf-token|www-authenticate|odata-version|dataserviceversion|preference-applied)$/;

/** Other headers are kept only if the platform names them. */
function responseWithout(
  { status, headers, body }: Received,
  secrets: RemovedSecrets,
  platform: Platform,
): RecordedResponse {
  const named = JSON.stringify([platform.options, platform.streams]).toLowerCase();
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || !(READ.test(name) || named.includes(`"${name}"`))) return [];
    return [[name, Array.isArray(value) ? value.map((each) => secrets.in(each)) : secrets.in(value)]];
  });
  const text = body.toString();
  const isText = Buffer.from(text).equals(body);
  return {
    status,
    headers: Object.fromEntries(kept),
    ...(isText ? { body: secrets.in(text) } : { body: bytesWithout(body, secrets), encoding: 'base64' }),
  };
}

/** Bytes in base64, without the secrets that they contain in ASCII or ISO 8859-1. */
function bytesWithout(body: Buffer, secrets: RemovedSecrets): string {
  return Buffer.from(secrets.in(body.toString('latin1')), 'latin1').toString('base64');
}

/** Names of the secret settings that a recording still contains. */
export function secretsLeftIn(recording: Recording, secrets: RemovedSecrets): string[] {
  const bytes = recording.exchanges.map(({ response: { body, encoding } }) =>
    encoding ? Buffer.from(body, encoding).toString('latin1') : body,
  );
  return secrets.leftIn([JSON.stringify(recording), ...bytes]);
}
