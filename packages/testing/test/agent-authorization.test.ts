import { hash, randomBytes } from 'node:crypto';
import type { Server } from 'node:https';
import {
  auth,
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { fetchJson, type PrivateHosts, parsePrivateHosts } from '@unified/connectors';
import {
  addRedirectUri,
  createPersonalAccessToken,
  deleteRedirectUri,
  endAuthorizationsOfClient,
  revokePersonalAccessToken,
  updateMcpUser,
} from '@unified/store';
import { api as startApi, type TestApi, type TestMcpUser } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PageBrowser, type ShownPage, tokenIn } from './page-browser.ts';
import { startTrustedServer } from './trusted-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const CALLBACK = 'http://127.0.0.1:33418/callback';

/** Hosts at which documents are read in addition to public ones. */
let documentHosts: PrivateHosts | undefined = parsePrivateHosts('127.0.0.1');
let api: TestApi;
let user: TestMcpUser;
let documents: Record<string, unknown>;
let site: { readonly url: string; readonly server: Server };
/** The address that describes the program of the agent. */
let program: string;

beforeAll(async () => {
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', '127.0.0.1');
  api = await startApi({
    documentAt: (url) => fetchJson(url, documentHosts),
    limiter: { count: async () => ({ used: 1, reset: 60 }) },
  });
  user = await api.mcpUser();
  await addRedirectUri(api.store.application(user.applicationId), user.applicationId, 'http://127.0.0.1/callback');
  site = await startTrustedServer((request, response) => {
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  program = `${site.url}/editor.json`;
}, 300_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  site.server.closeAllConnections();
  site.server.close();
  await api.stop();
});
beforeEach(() => {
  documents = { '/editor.json': { client_id: program, client_name: 'Editor', redirect_uris: [CALLBACK] } };
});

/** Sends requests for the public address to the server, as a proxy in front of it does. */
const fetchHere: typeof fetch = (url, init) =>
  fetch(String(url instanceof Request ? url.url : url).replace(api.store.publicUrl, api.baseUrl), init);

/** What an agent stores. */
interface Stored {
  tokens?: StoredOAuthTokens;
  client?: StoredOAuthClientInformation;
  discovered?: OAuthDiscoveryState;
  verifier?: string;
  /** The address that the user is asked to open. */
  asked?: URL;
}

/** An agent with the client of the protocol, and what it has stored. */
function agent(clientId?: string) {
  const stored: Stored = {};
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    ...(clientId === undefined && { clientMetadataUrl: program }),
    clientMetadata: { client_name: 'Editor', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    state: () => 'state 1',
    clientInformation: () =>
      clientId === undefined ? stored.client : { client_id: clientId, issuer: api.store.publicUrl },
    saveClientInformation: (client) => {
      stored.client = client;
    },
    discoveryState: () => stored.discovered,
    saveDiscoveryState: (discovered) => {
      stored.discovered = discovered;
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      stored.asked = url;
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier;
    },
    codeVerifier: () => stored.verifier ?? '',
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${api.store.publicUrl}/mcp`), {
      authProvider: provider,
      fetch: fetchHere,
    });
  const connect = async () => {
    const client = new Client(
      { name: 'tests', version: '1.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(transport());
    return client;
  };
  return { stored, provider, transport, connect };
}

interface Opened {
  readonly browser: PageBrowser;
  readonly page: ShownPage;
}

/** Opens the address of an authorization in a browser. */
async function open(address: URL | string): Promise<Opened> {
  const browser = new PageBrowser(api.baseUrl);
  return { browser, page: await browser.open(String(address).replace(api.store.publicUrl, '')) };
}

const actionsOf = ({ text }: ShownPage) =>
  /action="([^"]*\/oauth\/agents\/[\da-f-]{36})\/cancel"/.exec(text)?.[1] ?? '';
const allow = ({ browser, page }: Opened, personalAccessToken = user.token) =>
  browser.submit(`${actionsOf(page)}/allow`, { token: tokenIn(page), personalAccessToken });

const VERIFIER = randomBytes(32).toString('base64url');
/** The address of an authorization that no client has written. */
function address(query: Readonly<Record<string, string | undefined>> = {}): string {
  const all = {
    ...{ client_id: program, redirect_uri: CALLBACK, response_type: 'code', state: 'state 1' },
    ...{ resource: `${api.store.publicUrl}/mcp`, code_challenge: hash('sha256', VERIFIER, 'base64url') },
    ...{ code_challenge_method: 'S256', ...query },
  };
  const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(sent)}`;
}

/** The parameters with which a browser returned to the agent. */
const returned = ({ location }: ShownPage) => Object.fromEntries(new URL(location).searchParams);

const codeOf = async (query: Readonly<Record<string, string>> = {}) =>
  returned(await allow(await open(address(query)))).code ?? '';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error: string;
}

interface Listed {
  readonly data: readonly Readonly<Record<'id' | 'createdAt' | 'refreshedAt' | 'expiresAt', string>>[];
}
const none = { id: '', createdAt: '', refreshedAt: '', expiresAt: '' };

const exchange = (json: Readonly<Record<string, string>>) =>
  api.fetch<Tokens>('/oauth/token', { method: 'POST', token: null, json: { client_id: program, ...json } });
const redeem = (code: string, more: Readonly<Record<string, string>> = {}) =>
  exchange({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...more });
const refresh = (token: string, more: Readonly<Record<string, string>> = {}) =>
  exchange({ grant_type: 'refresh_token', refresh_token: token, ...more });
const platforms = async (token: string) => (await api.fetch('/v4/mcp/platforms', { token })).status;

describe('an agent that users authorize in a browser', () => {
  it.each([
    ['that describes itself at an address', () => undefined],
    ['that is a client of the application, on any port', () => user.applicationId],
  ])('%s finds the page, gets tokens for a code and calls tools', async (_name, clientId) => {
    const { stored, transport, connect } = agent(clientId());
    await expect(connect()).rejects.toThrow(UnauthorizedError);
    const asked = stored.asked?.searchParams;
    expect([asked?.get('resource'), asked?.get('scope')]).toEqual([`${api.store.publicUrl}/mcp`, 'mcp']);
    const shown = await allow(await open(stored.asked ?? ''));
    expect(shown.location).toMatch(/^http:\/\/127\.0\.0\.1:33418\/callback\?/);
    const { code = '', state, iss = '' } = returned(shown);
    expect([state, iss]).toEqual(['state 1', api.store.publicUrl]);
    await transport().finishAuth(code, iss);
    expect(stored.tokens).toMatchObject({ scope: 'mcp', refresh_token: expect.stringMatching(/^mrt_/) });
    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_tools');
  });

  it('renews its tokens, and each refresh token works once', async () => {
    const { stored, provider, connect } = agent();
    const { body } = await redeem(await codeOf());
    stored.tokens = { ...body, token_type: 'bearer', issuer: api.store.publicUrl };
    expect(await auth(provider, { serverUrl: `${api.store.publicUrl}/mcp`, fetchFn: fetchHere })).toBe('AUTHORIZED');
    expect(stored.tokens.refresh_token).not.toBe(body.refresh_token);
    await expect(connect()).resolves.toBeDefined();
    // The first token is used again, so one of the two was stolen: the authorization ends.
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(stored.tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
  });

  it('gets tokens for MCP only', async () => {
    const { body } = await redeem(await codeOf());
    expect(body).toMatchObject({ scope: 'mcp', expires_in: expect.any(Number) });
    expect(await platforms(body.access_token)).toBe(200);
    expect((await api.fetch('/v4/vendors', { token: body.access_token })).status).toBe(401);
    expect((await api.fetch('/v4/clients', { token: body.access_token })).status).toBe(401);
  });
});

describe('an access token of an agent', () => {
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<
      Record<'iat' | 'exp', number>
    >;

  it('is valid for an hour, as expires_in states', async () => {
    const { body } = await redeem(await codeOf());
    const { iat, exp } = claimsOf(body.access_token);
    expect([exp - iat, body.expires_in <= 3600, body.expires_in > 3590]).toEqual([3600, true, true]);
  });

  it('expires with the personal access token, if that is earlier', async () => {
    const { applicationId, endCustomerId } = user;
    const { customer, userId } = await api.mcpUser({ applicationId, endCustomerId });
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const { token } = await createPersonalAccessToken(customer, { userId, expiresAt });
    const { body } = await redeem(returned(await allow(await open(address()), token)).code ?? '');
    expect(claimsOf(body.access_token).exp).toBe(Math.floor(Date.parse(expiresAt) / 1000));
    expect([body.expires_in <= 600, body.expires_in > 400]).toEqual([true, true]);
  });
});

describe('administrators', () => {
  const authorized = async () => {
    const { applicationId, endCustomerId } = user;
    const other = await api.mcpUser({ applicationId, endCustomerId });
    const { body } = await redeem(returned(await allow(await open(address()), other.token)).code ?? '');
    const { token } = await api.signIn(applicationId);
    return { other, tokens: body, token, path: `/v4/end-customers/${endCustomerId}/users/${other.userId}` };
  };

  it('list the agents that a user has authorized, and revoke one of them', async () => {
    const { other, tokens, token, path } = await authorized();
    await open(address());
    const listed = await api.fetch<Listed>(`${path}/agent-authorizations`, { token });
    expect(listed.body.data).toEqual([
      {
        ...{ id: expect.any(String), clientId: program, clientName: 'Editor', tokenId: other.tokenId },
        ...{ createdAt: expect.any(String), refreshedAt: expect.any(String), expiresAt: expect.any(String) },
      },
    ]);
    const { id, createdAt, refreshedAt, expiresAt } = listed.body.data[0] ?? none;
    expect(Date.parse(expiresAt) - Date.parse(refreshedAt)).toBe(31 * 86_400_000);
    expect(Date.parse(refreshedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    const revoke = () => api.fetch(`${path}/agent-authorizations/${id}`, { method: 'DELETE', token });
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await api.fetch<Listed>(`${path}/agent-authorizations`, { token })).body.data).toEqual([]);
    expect(await platforms(other.token)).toBe(200);
  });

  it('do not reach the agents of other users', async () => {
    const [one, two] = [await authorized(), await authorized()];
    const { body } = await api.fetch<Listed>(`${one.path}/agent-authorizations`, { token: one.token });
    const other = `${two.path}/agent-authorizations/${body.data[0]?.id}`;
    expect((await api.fetch(other, { method: 'DELETE', token: two.token })).status).toBe(404);
    expect((await refresh(one.tokens.refresh_token)).status).toBe(200);
  });

  it('end the agents that use a client of the application together with its other tokens', async () => {
    const client = { client_id: user.applicationId };
    const { body } = await redeem(await codeOf(client), client);
    expect(await endAuthorizationsOfClient(api.store, user.applicationId)).toBeGreaterThan(0);
    expect((await refresh(body.refresh_token, client)).body.error).toBe('invalid_grant');
  });
});

describe('an authorization ends', () => {
  it('when its personal access token is revoked', async () => {
    const { applicationId, endCustomerId } = user;
    const other = await api.mcpUser({ applicationId, endCustomerId });
    const { code = '' } = returned(await allow(await open(address()), other.token));
    const { body } = await redeem(code);
    await revokePersonalAccessToken(other.customer, other.userId, other.tokenId);
    expect(await platforms(body.access_token)).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('when its user is deactivated', async () => {
    const { applicationId, endCustomerId } = user;
    const other = await api.mcpUser({ applicationId, endCustomerId });
    const { body } = await redeem(returned(await allow(await open(address()), other.token)).code ?? '');
    await updateMcpUser(other.customer, other.userId, { isActive: false });
    expect(await platforms(body.access_token)).toBe(401);
    expect((await refresh(body.refresh_token)).status).toBe(400);
  });

  it.each(['access_token', 'refresh_token'] as const)('when the agent revokes its %s', async (kind) => {
    const { body } = await redeem(await codeOf());
    const json = { token: body[kind], client_id: program };
    expect((await api.fetch('/oauth/revoke', { method: 'POST', token: null, json })).status).toBe(200);
    expect(await platforms(body.access_token)).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('when its code is redeemed twice', async () => {
    const code = await codeOf();
    const { body } = await redeem(code);
    expect((await redeem(code)).body.error).toBe('invalid_grant');
    expect(await platforms(body.access_token)).toBe(401);
  });

  it('not for another client', async () => {
    const { body } = await redeem(await codeOf());
    const json = { token: body.refresh_token, client_id: user.applicationId };
    expect((await api.fetch('/oauth/revoke', { method: 'POST', token: null, json })).status).toBe(200);
    expect((await refresh(body.refresh_token, { client_id: user.applicationId })).body.error).toBe('invalid_grant');
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});

describe('a code of an agent', () => {
  it.each([
    ['of another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['of another redirect URI', { redirect_uri: 'http://127.0.0.1:33419/callback' }, 'invalid_grant'],
    ['of another client', { client_id: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b' }, 'invalid_grant'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['with another scope', { scope: 'management' }, 'invalid_scope'],
    ['with a wrong secret', { client_id: 'x', client_secret: 'scs_wrong' }, 'invalid_client'],
  ])('%s is refused', async (_name, more, error) => {
    expect((await redeem(await codeOf(), more)).body.error).toBe(error);
  });

  it('is redeemed once by several requests at the same time', async () => {
    const code = await codeOf();
    const all = await Promise.all([redeem(code), redeem(code), redeem(code)]);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the request of an agent', () => {
  it.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with another scope', { scope: 'data' }, 'invalid_scope'],
    ['for another resource', { scope: 'mcp', resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['with another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s returns to the agent with an error', async (_name, query, error) => {
    // No user has seen the address that a document names, so that only clients of the application receive errors.
    const { page: shown } = await open(address(query));
    expect([shown.status, shown.location]).toEqual([400, '']);
    const { page } = await open(address({ client_id: user.applicationId, ...query }));
    expect(returned(page)).toMatchObject({ error, state: 'state 1', iss: api.store.publicUrl });
  });

  it.each([
    ['redirects elsewhere', { redirect_uri: 'https://attacker.example/callback' }],
    ['redirects to a part of the address', { redirect_uri: 'http://127.0.0.1:33418/callback/x' }],
    ['has no client', { client_id: undefined }],
    ['names a client by an address without encryption', { client_id: 'http://127.0.0.1/editor.json' }],
    ['names a client by a site', { client_id: 'https://127.0.0.1/' }],
    ['names a client with a password in the address', { client_id: 'https://a:b@127.0.0.1/editor.json' }],
  ])('that %s is refused with a page', async (_name, query) => {
    const { page } = await open(address(query));
    expect([page.status, page.location]).toEqual([400, '']);
  });

  it.each([
    ['describes another client', { client_id: 'https://other.example/editor.json', redirect_uris: [CALLBACK] }],
    ['requires a secret', { token_endpoint_auth_method: 'client_secret_post', redirect_uris: [CALLBACK] }],
    ['has no redirect URIs', {}],
    ['is text', 'text'],
    ['is too large', { redirect_uris: [CALLBACK], client_name: 'x'.repeat(30_000) }],
    ['does not exist', undefined],
  ])('is refused if the document %s', async (name, document) => {
    const path = `/${name.replaceAll(' ', '-')}.json`;
    const client_id = site.url + path;
    documents = { [path]: typeof document === 'object' ? { client_id, ...document } : document };
    expect((await open(address({ client_id }))).page.status).toBe(400);
  });

  it('reaches no private host, even one that the operator allows for connections', async () => {
    documentHosts = undefined;
    onTestFinished(() => {
      documentHosts = parsePrivateHosts('127.0.0.1');
    });
    const client_id = `${site.url}/private.json`;
    documents = { '/private.json': { client_id, redirect_uris: [CALLBACK] } };
    expect((await open(address({ client_id }))).page.status).toBe(400);
  });
});

describe('the page for agents', () => {
  it('names the agent, the address that describes it and where the user returns to, as text', async () => {
    const client_id = `${site.url}/hostile.json`;
    documents = {
      '/hostile.json': { client_id, client_name: '<b>Bank</b>\u202e', redirect_uris: ['https://evil.example/x'] },
    };
    const { page } = await open(address({ client_id, redirect_uri: 'https://evil.example/x' }));
    expect(page.status).toBe(200);
    expect(page.text).toContain('&lt;b&gt;Bank&lt;/b&gt;');
    expect(page.text).not.toContain('\u202e');
    expect(page.text).toContain(client_id);
    expect(page.text).toContain('evil.example');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://evil.example");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });

  it('returns to the protocol of a program on the computer of the user', async () => {
    const redirect_uri = 'editor://auth/callback';
    documents = { '/editor-app.json': { client_id: `${site.url}/editor-app.json`, redirect_uris: [redirect_uri] } };
    const opened = await open(address({ client_id: `${site.url}/editor-app.json`, redirect_uri }));
    expect(opened.page.headers.get('content-security-policy')).toContain("form-action 'self' editor:");
    expect((await allow(opened)).location).toMatch(/^editor:\/\/auth\/callback\?code=mac_/);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://portal.example/callback', 'file:///etc/passwd'])(
    'never returns to %s',
    async (redirect_uri) => {
      const path = `/scheme-${encodeURIComponent(redirect_uri)}.json`.replaceAll('%', '');
      documents = { [path]: { client_id: site.url + path, redirect_uris: [redirect_uri] } };
      const { page } = await open(address({ client_id: site.url + path, redirect_uri }));
      expect([page.status, page.location]).toEqual([400, '']);
    },
  );

  it('shows an error for a token that is not valid, and can be sent again', async () => {
    const opened = await open(address());
    const refused = await allow(opened, 'pat_wrong');
    expect([refused.status, refused.text.includes('aria-invalid="true"')]).toEqual([422, true]);
    expect(refused.text).not.toContain('pat_wrong');
    expect((await allow(opened)).location).toContain('code=mac_');
  });

  it('accepts no token of a user of another application for a client', async () => {
    const other = await api.mcpUser();
    const opened = await open(address({ client_id: user.applicationId }));
    expect((await allow(opened, other.token)).status).toBe(422);
  });

  it('returns to the agent with an error if the user cancels', async () => {
    const { browser, page } = await open(address());
    const shown = await browser.submit(`${actionsOf(page)}/cancel`, { token: tokenIn(page) });
    expect(returned(shown)).toMatchObject({ error: 'access_denied', state: 'state 1' });
    expect((await allow({ browser, page })).status).toBe(410);
  });

  it('belongs to one browser, and its forms to the page', async () => {
    const { browser, page } = await open(address());
    const path = actionsOf(page);
    expect((await new PageBrowser(api.baseUrl).open(path)).status).toBe(410);
    const personalAccessToken = user.token;
    expect((await browser.submit(`${path}/allow`, { token: 'wrong', personalAccessToken })).status).toBe(403);
    expect((await browser.submit(`${path}/nothing`, { token: tokenIn(page) })).status).toBe(404);
  });

  it('never returns to an address that the client has lost since the page was opened', async () => {
    const { applicationId } = user;
    const [scope, uri] = [api.store.application(applicationId), 'http://localhost/lost'];
    const { id = '' } = (await addRedirectUri(scope, applicationId, uri)) ?? {};
    const opened = await open(address({ client_id: applicationId, redirect_uri: uri }));
    await deleteRedirectUri(scope, applicationId, id);
    const shown = await allow(opened);
    expect([shown.status, shown.location]).toEqual([400, '']);
  });

  it('grants a request once', async () => {
    const opened = await open(address());
    expect((await allow(opened)).location).toContain('code=mac_');
    expect((await allow(opened)).status).toBe(410);
  });

  it('speaks German', async () => {
    const browser = new PageBrowser(api.baseUrl);
    browser.headers['accept-language'] = 'de-AT';
    expect((await browser.open(address())).text).toContain('„Editor“ erlauben, für Sie zu handeln?');
  });
});
