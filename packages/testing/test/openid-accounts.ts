import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** An account of a provider. */
export interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface RunningProvider {
  readonly issuer: string;
  /** Accounts by subject; a test can change them. */
  readonly accounts: Map<string, Account>;
  /** Signs in like a person in a browser. Returns the query with which the browser is sent back to the redirect URI. */
  signIn(address: string, subject: string): Promise<string>;
  stop(): Promise<void>;
}

export const CLIENT = { clientId: 'console', clientSecret: 'a secret of the console that is long enough' } as const;

/** Seconds. */
const HOUR = 3600;

/** Starts a certified OpenID Connect provider, at which everyone can sign in with any subject. */
export async function startProvider(redirectUri: string): Promise<RunningProvider> {
  const accounts = new Map<string, Account>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] },
        ...{ response_types: ['code'], grant_types: ['authorization_code'] },
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of cookies'] },
    ttl: { AccessToken: HOUR, AuthorizationCode: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    accounts,
    signIn: (address, subject) => throughPages(address, subject, redirectUri),
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Follows redirects, enters the subject, and consents, until the browser leaves the provider. */
async function throughPages(address: string, subject: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  const forms = [{ prompt: 'login', login: subject, password: 'any' }, { prompt: 'consent' }];
  let next: { url: string; form?: Readonly<Record<string, string>> | undefined } = { url: address };
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { method: 'POST', body: new URLSearchParams(next.form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location?.startsWith(redirectUri)) return new URL(location).search.slice(1);
    next = location ? { url: new URL(location, next.url).href } : { url: next.url, form: forms.shift() };
  }
  throw new Error('The provider did not return to the service.');
}
