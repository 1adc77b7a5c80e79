import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Platform, settingsOf } from '@unified/connectors';
import { forwarded, respond, withLinksTo } from '../http/forwarding.ts';
import { startHttpServer } from '../http/http-server.ts';
import type { Settings } from '../system-under-test.ts';
import { type ProxiedAddress, proxiedAddresses, withOrigins } from './addresses.ts';
import type { Recording } from './exchange.ts';
import { type ReceivedExchange, secretsLeftIn, secretsOf, withoutSecrets } from './without-secrets.ts';

/** A proxy that forwards to a system and keeps every exchange. */
export interface Recorder {
  /** The settings of a connection through the proxy. */
  readonly settings: Settings;
  /**
   * The exchanges so far, without secrets. `rows` is the number of rows to which each stream was limited. `left` names the secret
   * settings that the recording still contains: it must not be stored then.
   */
  recording(rows: number): {
    readonly recording: Recording;
    readonly removed: number;
    readonly left: readonly string[];
  };
  close(): Promise<void>;
}

/** Starts a proxy for the HTTP addresses in the settings. Returns null if there is none. */
export async function startRecorder(platform: Platform, settings: Settings): Promise<Recorder | null> {
  if (proxiedAddresses(platform, settings, '').length === 0) return null;
  const exchanges: ReceivedExchange[] = [];
  let addresses: readonly ProxiedAddress[] = [];
  const server = await startHttpServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const { method = 'GET', url: path = '/', headers } = request;
    const { system, proxy, prefix } = addressOf(addresses, path);
    const received = await forwarded(system, { method, url: path.slice(prefix.length), headers }, body);
    exchanges.push({ request: { method, path, headers, body }, response: received });
    respond(response, withLinksTo(received, system.origin, proxy));
  });
  addresses = proxiedAddresses(platform, settings, server.origin);
  const allowed = settingsOf(platform).has('allowPrivateHosts') ? { allowPrivateHosts: true } : {};
  const proxied = { ...withOrigins(settings, addresses, ({ proxy }) => proxy), ...allowed };
  return {
    settings: proxied,
    recording(rows) {
      const secrets = secretsOf(platform, settings, addresses, exchanges);
      const stored = withOrigins(proxied, addresses, ({ recorded }) => recorded);
      const recording: Recording = {
        platform: platform.id,
        recordedOn: new Date().toISOString().slice(0, 10),
        rows,
        settings: JSON.parse(secrets.in(JSON.stringify(stored))),
        exchanges: exchanges.map((exchange) => withoutSecrets(exchange, secrets, platform)),
      };
      return { recording, removed: secrets.count, left: secretsLeftIn(recording, secrets) };
    },
    close: server.close,
  };
}

/** The first address has no prefix, so it is the one that is used if no other is. */
function addressOf(addresses: readonly ProxiedAddress[], path: string): ProxiedAddress {
  const found = addresses.findLast(({ prefix }) => path.startsWith(prefix));
  if (!found) throw new Error(`No address is called at ${path}`);
  return found;
}
