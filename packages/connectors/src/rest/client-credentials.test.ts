import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { httpServer } from '../../test/http-server.ts';
import { type RestPlatform, reply, restSystemAt } from '../../test/rest-system.ts';
import type { ClientCredentialsOptions } from './options.ts';

const SECRET = 's3cr3t/with+odd=chars';
const streams = { things: { list: { address: '/things', rows: 'items' } } };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

interface TokenSystemOptions {
  /** Lifetime of tokens. */
  readonly seconds?: number;
  /** Why no token is issued. */
  readonly refusal?: object;
  /** The body, with status 200, of responses to calls whose token is not accepted. By default, their status is 401. */
  readonly expired?: object;
  /** Whether the system accepts no token. */
  readonly isClosed?: boolean;
}

/** A system that accepts only the tokens that it issued last. */
async function tokenSystem({ seconds = 3600, refusal, expired, isClosed = false }: TokenSystemOptions = {}) {
  const forms: { readonly authorization: string | undefined; readonly body: Record<string, string> }[] = [];
  const calls: string[] = [];
  const accepted = new Set<string>();
  const url = await httpServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { authorization = '' } = request.headers;
    if (request.url === '/oauth/token') {
      let body = '';
      for await (const chunk of request) body += chunk;
      forms.push({ authorization, body: Object.fromEntries(new URLSearchParams(body)) });
      if (refusal) return void response.writeHead(401).end(JSON.stringify(refusal));
      accepted.add(`Bearer t-${forms.length}`);
      return reply(response, { access_token: `t-${forms.length}`, token_type: 'Bearer', expires_in: seconds });
    }
    calls.push(authorization);
    if (accepted.has(authorization) && !isClosed) return reply(response, { items: [{ id: 1 }] });
    if (expired) reply(response, expired);
    else response.writeHead(401).end();
  });
  return { url, forms, calls, expire: () => accepted.clear() };
}

function connected(
  url: URL,
  own: ClientCredentialsOptions = {},
  settings: RestPlatform['settings'] = {},
  options: RestPlatform['options'] = {},
) {
  const authentication = { clientCredentials: { tokenUrl: '/oauth/token', ...own } };
  const given = { clientId: 'fettle-client', clientSecret: SECRET, ...settings };
  return restSystemAt(url, { streams, options: { authentication, ...options }, settings: given });
}

/** Makes the clock of this process run ahead, by seconds; timers and sockets are not affected. */
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });

describe('client credentials', () => {
  test('get one token for concurrent calls, and another one when it is refused', async () => {
    const system = await tokenSystem();
    const { pullAll } = connected(system.url);
    await Promise.all([pullAll('things'), pullAll('things'), pullAll('things')]);
    expect(system.forms).toHaveLength(1);
    expect(new Set(system.calls)).toEqual(new Set(['Bearer t-1']));
    system.expire();
    later(120);
    await Promise.all([pullAll('things'), pullAll('things'), pullAll('things')]);
    expect(system.forms).toHaveLength(2);
    expect(system.calls.at(-1)).toBe('Bearer t-2');
  });

  test('get another token when a new one is refused, because another process has requested one', async () => {
    const system = await tokenSystem();
    const { pullAll } = connected(system.url);
    await pullAll('things');
    system.expire();
    await pullAll('things');
    expect(system.forms).toHaveLength(2);
  });

  test('get one more token per minute if the system refuses that as well, such as for a wrong audience', async () => {
    const system = await tokenSystem({ isClosed: true });
    const { driver } = connected(system.url);
    for (let call = 0; call < 3; call += 1)
      await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(system.forms).toHaveLength(2);
    expect(system.calls).toHaveLength(4);
    later(120);
    await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(system.forms).toHaveLength(3);
  });

  test('get another token when a body with status 200 reports that it has expired', async () => {
    const system = await tokenSystem({ expired: { fault: 'TOKEN' } });
    const codes = { path: 'fault', kinds: { TOKEN: 'unauthorized' } } as const;
    const { pullAll } = connected(system.url, {}, {}, { failedBy: 'fault', failures: { default: { codes } } });
    await pullAll('things');
    system.expire();
    later(120);
    await pullAll('things');
    expect(system.forms).toHaveLength(2);
  });

  test('get another token before it expires', async () => {
    const system = await tokenSystem({ seconds: 60 });
    const { pullAll } = connected(system.url);
    await pullAll('things');
    later(40);
    await pullAll('things');
    expect(system.calls).toEqual(['Bearer t-1', 'Bearer t-1', 'Bearer t-2', 'Bearer t-2']);
  });

  test('are in the header with a scope, or in the form with other parameters', async () => {
    const system = await tokenSystem();
    await connected(system.url, { scope: 'orders.read' }).driver.check();
    const parameters = { audience: 'https://api.example', tenant: '{company}', realm: '{database}' };
    const own = { sentIn: 'form' as const, scope: 'orders.read', parameters };
    await connected(system.url, own, { scope: 'parts.read', company: 'acme' }).driver.check();
    const client = `fettle-client:${encodeURIComponent(SECRET)}`;
    expect(system.forms).toEqual([
      {
        authorization: `Basic ${Buffer.from(client).toString('base64')}`,
        body: { grant_type: 'client_credentials', scope: 'orders.read' },
      },
      {
        authorization: '',
        body: {
          ...{ grant_type: 'client_credentials', scope: 'parts.read', audience: 'https://api.example', tenant: 'acme' },
          ...{ client_id: 'fettle-client', client_secret: SECRET },
        },
      },
    ]);
  });

  test('that are refused are an error with the address and the reason, and are not sent again immediately', async () => {
    const refusal = { error: 'invalid_client', error_description: 'Unknown client or wrong secret.' };
    const system = await tokenSystem({ refusal });
    const { driver } = connected(system.url, {}, { tokenUrl: new URL('/oauth/token', system.url).href });
    const reason = 'refuses the client (HTTP status 401): invalid_client: Unknown client or wrong secret. Check';
    const failure = {
      kind: 'unauthorized',
      words: expect.stringContaining(`The token address ${system.url.origin}/oauth/token ${reason}`),
      clientWords: expect.stringContaining(`The token address ${reason}`),
      explanation: { remedy: 'Check the settings "clientId" and "clientSecret", the address and the scope.' },
    };
    await expect(driver.check()).rejects.toMatchObject(failure);
    await expect(driver.check()).rejects.toMatchObject(failure);
    expect(system.forms).toHaveLength(1);
    expect(system.calls).toEqual([]);
  });

  test('are not sent to a private host other than that of the system', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    const [system, other] = [await tokenSystem(), await tokenSystem()];
    const { driver } = connected(system.url, { tokenUrl: new URL('/oauth/token', other.url).href });
    await expect(driver.check()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(other.forms).toEqual([]);
  });

  test('need a token address in the platform or the settings', async () => {
    const { url } = await tokenSystem();
    const authentication = { clientCredentials: {} };
    expect(() => restSystemAt(url, { streams, options: { authentication } })).toThrow(
      'The setting "tokenUrl" is missing',
    );
  });
});
