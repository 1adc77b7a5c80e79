import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The client, and the refresh token that a person has obtained for it. */
export const CREDENTIALS = { clientId: 'app 1', clientSecret: 'secret/of+app', refreshToken: 'refresh-0' };

/** An authorization server that replaces the refresh token with each use, and a system that requires its access tokens. */
export interface TokenServer {
  readonly origin: string;
  /** Settings of a connection. */
  readonly settings: Readonly<Record<string, string | boolean>>;
  /** The refresh tokens that were sent, in order. */
  readonly sent: string[];
  /** Authorization headers of calls to the system. */
  readonly calls: string[];
  readonly behavior: {
    /** Whether the refresh token before the current one is still accepted. */
    isGraceful: boolean;
    /** Lifetime of access tokens, in seconds, as reported; 0: each is used for one call. */
    seconds: unknown;
    /** Further content of responses with tokens. */
    more: object;
    /** Why tokens are refused, if it is not an unknown refresh token. */
    reason: string;
    /** Called when tokens were replaced, before they are sent. */
    replaced: (() => void | Promise<void>) | undefined;
    /** Whether the system refuses every access token. */
    isClosed: boolean;
    /** The secret of the client. */
    clientSecret: string;
    /** Status of the responses to token requests, which then have no content. */
    status: number | undefined;
  };
  /** The person withdraws the consent: no refresh token is accepted any longer. */
  revoke(): void;
  /** The person signs in again, which yields this refresh token. */
  grant(refreshToken: string): void;
  /** The access tokens that were issued until now are no longer accepted. */
  expire(): void;
  stop(): Promise<void>;
}

export async function startTokenServer(): Promise<TokenServer> {
  let issued = 0;
  let [previous, current]: (string | undefined)[] = [undefined, CREDENTIALS.refreshToken];
  const accepted = new Set<string>();
  const sent: string[] = [];
  const calls: string[] = [];
  const behavior: TokenServer['behavior'] = {
    ...{ isGraceful: false, seconds: 3600, replaced: undefined, isClosed: false },
    ...{ clientSecret: CREDENTIALS.clientSecret, status: undefined, more: {}, reason: 'Token invalid' },
  };

  async function token(incoming: IncomingMessage): Promise<readonly [status: number, body: object]> {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    if (behavior.status !== undefined) return [behavior.status, {}];
    const { clientId } = CREDENTIALS;
    const { clientSecret } = behavior;
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
    if (incoming.headers.authorization !== `Basic ${basic}`) return [401, { error: 'invalid_client' }];
    const form = new URLSearchParams(body);
    const given = form.get('refresh_token') ?? '';
    sent.push(given);
    const isKnown = given === current || (behavior.isGraceful && given === previous);
    if (form.get('grant_type') !== 'refresh_token' || !isKnown)
      return [400, { error: 'invalid_grant', error_description: behavior.reason }];
    issued += 1;
    [previous, current] = [given, `refresh-${issued}`];
    accepted.add(`Bearer access-${issued}`);
    await behavior.replaced?.();
    const granted = { token_type: 'bearer', expires_in: behavior.seconds, x_refresh_token_expires_in: 8_640_000 };
    return [
      200,
      { ...granted, access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, ...behavior.more },
    ];
  }

  function call({ headers }: IncomingMessage): readonly [status: number, body: object] {
    calls.push(headers.authorization ?? '');
    const isAccepted = accepted.has(headers.authorization ?? '') && !behavior.isClosed;
    if (!isAccepted) return [401, { message: `${headers.authorization} is not valid` }];
    return [200, [{ id: 1, name: 'Kilogram', code: 'KG' }]];
  }

  const server = createServer(async (incoming, outgoing) => {
    const [status, body] = incoming.url === '/token' ? await token(incoming) : call(incoming);
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    settings: { url: origin, tokenUrl: `${origin}/token`, ...CREDENTIALS, allowPrivateHosts: true },
    sent,
    calls,
    behavior,
    revoke: () => {
      [previous, current] = [undefined, undefined];
    },
    grant: (refreshToken) => {
      [previous, current] = [undefined, refreshToken];
    },
    expire: () => accepted.clear(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
