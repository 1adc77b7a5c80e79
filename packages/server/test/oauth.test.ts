import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  applicationSecret,
  createApplication,
  createClientSecret,
  issueAuthorizationCode,
  revokeClientSecret,
  signingKey,
} from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import { importJWK, SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newKeyPair } from '../src/oauth/access-tokens.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const REDIRECT = 'https://portal.northwind.example/callback';
const DAY = 24 * 3600;
/** Milliseconds until every process refuses a revoked token, with a margin for a busy machine. */
const REVOKED = { timeout: 20_000 };

interface Body {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly expires_at: string;
  readonly scope: string;
  readonly error: string;
  readonly error_description: string;
  readonly code: string;
  readonly message: string;
  readonly keys: readonly { readonly kid: string; readonly x: string; readonly y: string }[];
}

let api: TestApi;
let clientId: string;
let secret: string;

beforeAll(async () => {
  api = await startApi({ rateLimits: { token: 1_000_000 } });
  clientId = api.connection.applicationId;
  secret = (await applicationSecret(api.store, clientId)) ?? '';
});
afterAll(() => api.stop());

type Parameters = Readonly<Record<string, string>>;

/** Sends parameters as a form, with no credentials besides them. */
function form(path: string, parameters: Parameters | string, headers: Parameters = {}) {
  const text = typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return api.fetch<Body>(path, { method: 'POST', token: null, headers: { ...type, ...headers }, text });
}

function json(path: string, parameters: object) {
  return api.fetch<Body>(path, { method: 'POST', token: null, json: parameters });
}

const credentials = () => ({ client_id: clientId, client_secret: secret });
const basic = (id = clientId, password = secret) => ({
  Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(password)}`).toString('base64')}`,
});
const forClient = () => form('/oauth/token', { grant_type: 'client_credentials', ...credentials() });
const refresh = (refresh_token: string) =>
  form('/oauth/token', { grant_type: 'refresh_token', refresh_token, ...credentials() });

const issueCode = (more: { challenge?: string } = {}) =>
  issueAuthorizationCode(api.store, {
    clientId,
    connectionId: api.connection.connectionId,
    redirectUri: REDIRECT,
    ...more,
  });
const redeem = (code: string, more: Parameters = {}) =>
  form('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    ...credentials(),
    ...more,
  });
const statusOf = async (token: string) => (await api.fetch('/v4/vendors', { token })).status;

async function query(text: string, values: unknown[] = []) {
  const client = new pg.Client(api.url);
  await client.connect();
  onTestFinished(() => client.end());
  return (await client.query(text, values)).rows;
}

function partsOf(token: string) {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
}

describe('the metadata of the authorization server (RFC 8414)', () => {
  interface Metadata {
    readonly issuer: string;
    readonly [name: string]: string | boolean | readonly string[];
  }
  const metadata = async (from = api) =>
    (await from.fetch<Metadata>('/.well-known/oauth-authorization-server', { token: null })).body;

  it('lists what the server supports, and nothing else', async () => {
    expect(await metadata()).toMatchObject({
      issuer: api.store.publicUrl,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      scopes_supported: ['management', 'data', 'mcp'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('names addresses that exist, and is the issuer of tokens and key set', async () => {
    const body = await metadata();
    const [, claims] = partsOf((await forClient()).body.access_token);
    expect(claims.iss).toBe(body.issuer);
    const endpoints = Object.entries(body).filter(([name]) => /_(endpoint|uri)$/.test(name));
    expect(endpoints.map(([name]) => name).toSorted()).toEqual([
      ...['authorization_endpoint', 'jwks_uri', 'revocation_endpoint', 'token_endpoint'],
    ]);
    for (const [name, address] of endpoints) {
      const path = String(address).replace(body.issuer, '');
      const method = /^(revocation|token)_/.test(name) ? 'POST' : 'GET';
      const { status } = await api.fetch(path, { method, token: null });
      expect([path, status]).toEqual([
        path,
        path === '/oauth/jwks.json' ? 200 : expect.toSatisfy((s) => s === 400 || s === 401),
      ]);
    }
  });

  it('has the path of the public address in the issuer and in every address', async () => {
    const own = await startApi({ publicUrl: 'https://gate.example/erp' });
    onTestFinished(() => own.stop());
    const body = await metadata(own);
    expect([body.issuer, body.token_endpoint]).toEqual([
      ...['https://gate.example/erp', 'https://gate.example/erp/oauth/token'],
    ]);
  });
});

describe('POST /oauth/token', () => {
  it('issues a pair for the credentials of a client, in the body as form or JSON, or in the header', async () => {
    const sent = [
      await forClient(),
      await json('/oauth/token', { grant_type: 'client_credentials', ...credentials() }),
      await form('/oauth/token', { grant_type: 'client_credentials' }, basic()),
    ];
    for (const { status, body, headers } of sent) {
      expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache']);
      expect(body).toMatchObject({ token_type: 'bearer', scope: 'management' });
      expect(body.refresh_token).toMatch(/^srt_[\w-]{43}$/);
      expect(Math.abs(body.expires_in - 30 * DAY)).toBeLessThan(60);
      expect(Math.abs(Date.parse(body.expires_at) - Date.now() - body.expires_in * 1000)).toBeLessThan(60_000);
    }
  });

  it('signs access tokens as RFC 9068 defines', async () => {
    const { body } = await forClient();
    const [header, claims] = partsOf(body.access_token);
    const { body: keySet } = await api.fetch<Body>('/oauth/jwks.json', { token: null });
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: keySet.keys[0]?.kid });
    expect(claims).toMatchObject({
      iss: api.store.publicUrl,
      aud: `${api.store.publicUrl}/v4`,
      sub: clientId,
      client_id: clientId,
      scope: 'management',
      sid: expect.any(String),
      jti: expect.any(String),
    });
    expect(claims.exp - claims.iat).toBe(30 * DAY);
  });

  it('ignores unknown parameters and those without a value', async () => {
    const text = `${new URLSearchParams({ grant_type: 'client_credentials', ...credentials() })}&audience=x&scope=`;
    expect((await form('/oauth/token', text)).status).toBe(200);
  });

  it.each([
    ['a grant type that does not exist', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a name of the prototype as grant type', { grant_type: 'constructor' }, 400, 'unsupported_grant_type'],
    ['no grant type', {}, 400, 'invalid_request'],
    ['a scope that the grant does not have', { grant_type: 'client_credentials', scope: 'data' }, 400, 'invalid_scope'],
    ['a code without its redirect URI', { grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'srt_x' }, 400, 'invalid_grant'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'sac_x', redirect_uri: REDIRECT },
      400,
      'invalid_grant',
    ],
  ] as const)('refuses %s', async (_, parameters, status, error) => {
    const answer = await form('/oauth/token', { ...parameters, ...credentials() });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses repeated and empty parameters, a body that is neither form nor JSON, and a query', async () => {
    const text = new URLSearchParams({ grant_type: 'client_credentials', ...credentials() }).toString();
    const sent = [
      await form('/oauth/token', `${text}&client_id=${clientId}`),
      await form('/oauth/token', text, { 'Content-Type': 'text/plain' }),
      await form('/oauth/token', `${text}&scope=%zz`),
      await form('/oauth/token?client_id=1', text),
      await api.fetch<Body>('/oauth/token', { method: 'POST', token: null }),
      await form('/oauth/token', '{"grant_type"', { 'Content-Type': 'application/json' }),
      await json('/oauth/token', { grant_type: '', ...credentials() }),
    ];
    expect(sent.map(({ status, body }) => [status, body.error])).toEqual(sent.map(() => [400, 'invalid_request']));
    const types = 'Send the body as application/x-www-form-urlencoded or application/json, in UTF-8.';
    expect(sent[1]?.body.error_description).toBe(types);
  });

  it('refuses a secret in both the header and the body, and a second client', async () => {
    const grant = { grant_type: 'client_credentials' };
    for (const parameters of [
      { ...grant, ...credentials() },
      { ...grant, client_id: 'other' },
    ]) {
      const { status, body } = await form('/oauth/token', parameters, basic());
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    }
    expect((await form('/oauth/token', { ...grant, client_id: clientId }, basic())).status).toBe(200);
  });

  it('refuses an unknown client and a wrong secret with the same response', async () => {
    const grant = { grant_type: 'client_credentials' };
    const unknown = '0199d2a4-0000-7000-8000-000000000000';
    const sent = [
      await form('/oauth/token', { ...grant, client_id: clientId, client_secret: 'wrong' }),
      await form('/oauth/token', { ...grant, client_id: unknown, client_secret: secret }),
      await form('/oauth/token', { ...grant, client_id: 'no uuid', client_secret: secret }),
      await form('/oauth/token', { ...grant, client_id: clientId }),
      await form('/oauth/token', grant),
      await form('/oauth/token', grant, basic(clientId, 'wrong')),
      await form('/oauth/token', grant, { Authorization: 'Basic !' }),
      await form('/oauth/token', grant, { Authorization: `Basic ${Buffer.from('%00:%zz').toString('base64')}` }),
    ];
    for (const { status, body, headers } of sent) {
      expect([status, body.error, body.error_description]).toEqual([
        401,
        'invalid_client',
        sent[0]?.body.error_description,
      ]);
      expect(headers.get('www-authenticate')).toMatch(/^Basic/);
    }
  });

  it('accepts any secret of the client until it is revoked', async () => {
    const scope = api.store.application(clientId);
    const made = await createClientSecret(scope, { clientId });
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: made?.secret ?? '' };
    expect((await form('/oauth/token', grant)).status).toBe(200);
    await revokeClientSecret(scope, clientId, made?.id ?? '');
    expect((await form('/oauth/token', grant)).body.error).toBe('invalid_client');
  });

  it('ends with the secret that it was issued with, or refreshed with', async () => {
    const scope = api.store.application(clientId);
    const [made, next] = [await createClientSecret(scope, { clientId }), await createClientSecret(scope, { clientId })];
    const issued = async (client: typeof made, parameters: Parameters) =>
      (await form('/oauth/token', { client_id: clientId, client_secret: client?.secret ?? '', ...parameters })).body;
    const ended = await issued(made, { grant_type: 'client_credentials' });
    const { refresh_token } = await issued(made, { grant_type: 'client_credentials' });
    const refreshed = await issued(next, { grant_type: 'refresh_token', refresh_token });
    const ofConnection = (await redeem(await issueCode())).body;
    await revokeClientSecret(scope, clientId, made?.id ?? '');
    const managed = async ({ access_token: token }: Body) => (await api.fetch('/v4/application', { token })).status;
    await expect.poll(() => managed(ended), REVOKED).toBe(401);
    expect(await managed(refreshed)).toBe(200);
    expect(await statusOf(ofConnection.access_token)).toBe(200);
  });

  it('returns a temporary error while the database is down', async () => {
    const own = await startApi();
    onTestFinished(() => own.stop());
    await own.breakDown();
    const { status, body, headers } = await own.fetch<Body>('/oauth/token', {
      method: 'POST',
      token: null,
      json: { grant_type: 'client_credentials', ...credentials() },
    });
    expect([status, body.error]).toEqual([503, 'server_error']);
    expect(headers.has('retry-after')).toBe(true);
  });
});

describe('a refresh token', () => {
  it('is exchanged for a new pair, and its predecessors stop working', async () => {
    const first = (await redeem(await issueCode())).body;
    expect(await statusOf(first.access_token)).toBe(200);
    const { status, body: second } = await refresh(first.refresh_token);
    expect([status, second.scope]).toEqual([200, 'data']);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await expect.poll(() => statusOf(first.access_token), REVOKED).toBe(401);
    expect(await statusOf(second.access_token)).toBe(200);
  });

  it('that is used again ends all tokens that followed from it', async () => {
    const first = (await redeem(await issueCode())).body;
    const second = (await refresh(first.refresh_token)).body;
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    await expect.poll(() => statusOf(second.access_token), REVOKED).toBe(401);
  });

  it('keeps its scope: a request for another one is refused, and does not use it', async () => {
    const { refresh_token } = (await forClient()).body;
    const wanting = (scope: string) =>
      form('/oauth/token', { grant_type: 'refresh_token', refresh_token, scope, ...credentials() });
    for (const scope of ['data', 'management data', 'x'])
      expect((await wanting(scope)).body.error).toBe('invalid_scope');
    expect(await wanting('management')).toMatchObject({ status: 200, body: { scope: 'management' } });
  });

  it('succeeds exactly once in 20 concurrent requests', async () => {
    const { body } = await forClient();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(body.refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body: { error } }) => error === 'invalid_grant')).toHaveLength(19);
  });

  it('of another client is refused without effect', async () => {
    const { body } = await forClient();
    const other = await createApplication(api.store, 'Other');
    const otherSecret = (await applicationSecret(api.store, other.id)) ?? '';
    const sent = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const stolen = await form('/oauth/token', { ...sent, client_id: other.id, client_secret: otherSecret });
    expect(stolen.body.error).toBe('invalid_grant');
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('expires after 31 days', async () => {
    const { body } = await forClient();
    const hash = createHash('sha256').update(body.refresh_token).digest('hex');
    const [row] = await query(
      `select extract(epoch from "expiresAt" - "createdAt") as seconds from unified.refresh_tokens where hash = $1`,
      [hash],
    );
    expect(Number(row.seconds)).toBe(31 * DAY);
    await query(`update unified.refresh_tokens set "expiresAt" = now() where hash = $1`, [hash]);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    const { status, body: refused } = await json('/link/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      ...credentials(),
    });
    expect([status, refused.code]).toEqual([401, 'SERVICE_TOKEN_EXPIRED']);
  });
});

describe('an authorization code', () => {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  it('gives access to the data of its connection, and to nothing else', async () => {
    const { status, body } = await redeem(await issueCode());
    expect([status, body.scope]).toEqual([200, 'data']);
    expect(partsOf(body.access_token)[1]).toMatchObject({ sub: api.connection.connectionId });
    expect(await statusOf(body.access_token)).toBe(200);
    expect(await statusOf((await forClient()).body.access_token)).toBe(401);
  });

  it('can be redeemed once; a second time ends its tokens', async () => {
    const code = await issueCode();
    const { body } = await redeem(code);
    expect((await redeem(code)).body.error).toBe('invalid_grant');
    await expect.poll(() => statusOf(body.access_token), REVOKED).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('is redeemed exactly once in 20 concurrent requests', async () => {
    const code = await issueCode();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('needs its verifier if it was requested with a challenge, and must have none otherwise', async () => {
    const code = await issueCode({ challenge });
    const wrong = randomBytes(32).toString('base64url');
    expect((await redeem(code)).body.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: wrong })).body.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: challenge })).body.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: verifier })).status).toBe(200);
    expect((await redeem(await issueCode(), { code_verifier: verifier })).body.error).toBe('invalid_grant');
  });

  it.each([
    `${REDIRECT}/`,
    `${REDIRECT}?a=1`,
    REDIRECT.toUpperCase(),
    'https://portal.northwind.example/x/../callback',
    'https://portal.northwind.example.evil.example/callback',
  ])('belongs to exactly its redirect URI, not to %s', async (redirect_uri) => {
    expect((await redeem(await issueCode(), { redirect_uri })).body.error).toBe('invalid_grant');
  });

  it('belongs to its client and expires', async () => {
    const other = await createApplication(api.store, 'Thief');
    const code = await issueCode();
    const stolen = { client_id: other.id, client_secret: (await applicationSecret(api.store, other.id)) ?? '' };
    expect((await redeem(code, stolen)).body.error).toBe('invalid_grant');
    await query(`update unified.authorization_codes set "expiresAt" = now() where hash = $1`, [
      createHash('sha256').update(code).digest('hex'),
    ]);
    expect((await redeem(code)).body.error).toBe('invalid_grant');
  });
});

describe('POST /link/token', () => {
  it('returns the expiry as a Unix timestamp', async () => {
    const { status, body } = await json('/link/token', { grant_type: 'client_credentials', ...credentials() });
    expect(status).toBe(200);
    expect(body.expires_in).toBe(Date.parse(body.expires_at) / 1000);
    expect(Math.abs(body.expires_in - Date.now() / 1000 - 30 * DAY)).toBeLessThan(60);
    const again = await form('/link/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      ...credentials(),
    });
    expect([again.status, again.body.token_type]).toEqual([200, 'bearer']);
  });

  it('returns errors in the format of the data API, with its own statuses', async () => {
    const grant = { grant_type: 'client_credentials' };
    const sent = [
      await json('/link/token', { grant_type: 'password', ...credentials() }),
      await form('/link/token', '{"grant', { 'Content-Type': 'application/json' }),
      await form('/link/token', 'grant_type=a&grant_type=b'),
      await json('/link/token', { ...grant, client_id: clientId, client_secret: 'wrong' }),
      await json('/link/token', { ...grant, client_id: 'unknown', client_secret: secret }),
      await json('/link/token', { grant_type: 'refresh_token', refresh_token: 'srt_x', ...credentials() }),
      await json('/link/token', {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: REDIRECT,
        ...credentials(),
      }),
    ];
    expect(sent.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '400 SERVICE_INVALID_GRANT',
      '400 SERVICE_INVALID_JSON',
      '400 SERVICE_INVALID_BODY',
      '403 SERVICE_INVALID_CLIENT',
      '403 SERVICE_INVALID_CLIENT',
      '401 SERVICE_UNAUTHORIZED',
      '400 SERVICE_INVALID_GRANT',
    ]);
  });
});

describe('POST /oauth/revoke', () => {
  const revoke = (token: string, more: Parameters = {}) => form('/oauth/revoke', { token, ...credentials(), ...more });

  it('ends a refresh token and its access token, whatever the hint', async () => {
    const { body } = await redeem(await issueCode());
    expect((await revoke(body.refresh_token, { token_type_hint: 'nonsense' })).status).toBe(200);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    await expect.poll(() => statusOf(body.access_token), REVOKED).toBe(401);
  });

  it('ends an access token and its refresh token', async () => {
    const { body } = await redeem(await issueCode());
    expect((await revoke(body.access_token)).status).toBe(200);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('returns 200 for unknown and revoked tokens, and for those of another client without effect', async () => {
    const { body } = await forClient();
    const other = await createApplication(api.store, 'Stranger');
    const stranger = { client_id: other.id, client_secret: (await applicationSecret(api.store, other.id)) ?? '' };
    for (const token of ['srt_x', 'a.b.c', api.connection.token, body.refresh_token, body.access_token]) {
      expect((await revoke(token, stranger)).status).toBe(200);
    }
    expect(await statusOf(api.connection.token)).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expect((await revoke(body.refresh_token)).status).toBe(200);
    expect((await revoke(body.refresh_token)).status).toBe(200);
  });

  it('requires the credentials of a client', async () => {
    const { status, body } = await form('/oauth/revoke', { token: 'srt_x' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('an access token', () => {
  /** The token with other headers or claims, signed by `sign`. */
  function forged(token: string, change: { header?: object; claims?: object }, sign: (text: string) => string) {
    const [header, claims] = partsOf(token);
    const encoded = [
      { ...header, ...change.header },
      { ...claims, ...change.claims },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    return `${encoded.join('.')}.${sign(encoded.join('.'))}`;
  }

  it('is refused with another algorithm, key or content', async () => {
    const { access_token: token } = (await redeem(await issueCode())).body;
    const { body: keySet } = await api.fetch<Body>('/oauth/jwks.json', { token: null });
    const signature = token.split('.')[2] ?? '';
    const [key] = keySet.keys;
    const publicBytes = [JSON.stringify(key), `${key?.x}${key?.y}`];
    const hmac = (secretKey: string) => (text: string) =>
      createHmac('sha256', secretKey).update(text).digest('base64url');
    const tokens = [
      forged(token, { header: { alg: 'none' } }, () => ''),
      forged(token, { header: { alg: 'none' } }, () => signature),
      ...publicBytes.map((each) => forged(token, { header: { alg: 'HS256' } }, hmac(each))),
      forged(token, { header: { alg: 'ES384' } }, () => signature),
      forged(token, { header: { kid: '../../etc/passwd' } }, () => signature),
      forged(token, { header: { kid: '0199d2a4-0000-7000-8000-000000000000' } }, () => signature),
      forged(token, { header: { kid: undefined, jwk: key } }, () => signature),
      forged(token, { header: { kid: undefined, jku: 'https://evil.example/jwks.json' } }, () => signature),
      forged(token, { header: { typ: 'JWT' } }, () => signature),
      forged(token, { claims: { sub: 'someone else' } }, () => signature),
      forged(token, { claims: { exp: 9_999_999_999 } }, () => signature),
      `${token}x`,
      token.slice(0, -2),
    ];
    for (const each of tokens) expect([each, await statusOf(each)]).toEqual([each, 401]);
    expect(await statusOf(token)).toBe(200);
  });

  it('is only one if it was issued as such: other texts that the key has signed are refused', async () => {
    const { access_token: token } = (await redeem(await issueCode())).body;
    const [, claims] = partsOf(token);
    const { id: kid, privateKey } = await signingKey(api.store, newKeyPair);
    const key = await importJWK(JSON.parse(privateKey), 'ES256');
    const signed = (typ: string, changed: object) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'ES256', typ, kid }).sign(key);
    expect(await statusOf(await signed('at+jwt', {}))).toBe(200);
    for (const each of [
      await signed('JWT', {}),
      await signed('at+jwt', { iss: 'https://other.example' }),
      await signed('at+jwt', { aud: 'https://other.example/v4' }),
      await signed('at+jwt', { exp: 1 }),
      await signed('at+jwt', { nbf: claims.exp }),
      await signed('at+jwt', { sid: undefined }),
      await signed('at+jwt', { sid: '0199d2a4-0000-7000-8000-000000000000' }),
      await signed('at+jwt', { jti: '0199d2a4-0000-7000-8000-000000000000' }),
    ])
      expect(await statusOf(each)).toBe(401);
  });

  it('of a server with another address is refused', async () => {
    const own = await startApi({ publicUrl: 'https://other.example' });
    onTestFinished(() => own.stop());
    const { access_token: token } = (await redeem(await issueCode())).body;
    expect((await own.fetch('/v4/vendors', { token })).status).toBe(401);
  });

  it('stays valid when another key signs', async () => {
    const { access_token: before } = (await redeem(await issueCode())).body;
    const replaced = await signingKey(api.store, newKeyPair, { replace: true });
    const { body } = await api.fetch<Body>('/oauth/jwks.json', { token: null });
    expect(body.keys.map(({ kid }) => kid)).toEqual([replaced.id, partsOf(before)[0].kid]);
    expect(JSON.stringify(body)).not.toContain('"d"');
    expect(await statusOf(before)).toBe(200);
  });

  it('that is refused names the reason in WWW-Authenticate (RFC 6750), which a request without a token does not', async () => {
    const challengeFor = async (token: string | null) =>
      (await api.fetch('/v4/vendors', { token })).headers.get('www-authenticate');
    expect(await challengeFor(null)).toBe('Bearer realm="unified"');
    const { access_token: token } = (await forClient()).body;
    for (const each of [token, `${token}x`, 'short', 'sct_unknown-unknown-unknown'])
      expect([each, await challengeFor(each)]).toEqual([each, 'Bearer realm="unified", error="invalid_token"']);
  });

  it('of a deactivated connection is refused with 403', async () => {
    const connection = await api.connect({ applicationId: clientId });
    const code = await issueAuthorizationCode(api.store, {
      clientId,
      connectionId: connection.connectionId,
      redirectUri: REDIRECT,
    });
    const { body } = await redeem(code);
    await connection.deactivate();
    expect(await api.fetch('/v4/vendors', { token: body.access_token })).toMatchObject({
      status: 403,
      body: { code: 'SERVICE_CONNECTION_INACTIVE' },
    });
  });
});

describe('guessing', () => {
  it('is limited to 60 requests a minute per address, over all endpoints that accept a secret', async () => {
    const own = await startApi({ trustProxy: true });
    onTestFinished(() => own.stop());
    const guess = (path: string, address: string) =>
      own.fetch<Body>(path, {
        method: 'POST',
        token: null,
        headers: { 'X-Forwarded-For': address },
        json: { grant_type: 'client_credentials', token: 'x', client_id: clientId, client_secret: 'guess' },
      });
    const paths = ['/oauth/token', '/link/token', '/oauth/revoke'];
    // The client forges all entries except the last one.
    const sent = Array.from({ length: 60 }, (_, n) => guess(paths[n % 3] ?? '', `198.51.100.${n}, 203.0.113.7`));
    const statuses = new Set((await Promise.all(sent)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 403]));
    for (const path of paths) {
      const { status, body, headers } = await guess(path, '203.0.113.7');
      expect([status, body.code]).toEqual([429, 'SERVICE_RATE_LIMITED']);
      expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'));
    }
    expect((await guess('/oauth/token', '203.0.113.8')).status).toBe(401);
  });

  it('is limited per network of an IPv6 subscriber, and per IPv4 address in whatever form', async () => {
    const own = await startApi({ trustProxy: true });
    onTestFinished(() => own.stop());
    const remaining = async (address: string) => {
      const headers = { 'X-Forwarded-For': address };
      const json = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'guess' };
      const response = await own.fetch('/oauth/token', { method: 'POST', token: null, headers, json });
      return response.headers.get('x-ratelimit-remaining');
    };
    expect(await remaining('2001:db8:1:2::1')).toBe('59');
    expect(await remaining('2001:DB8:1:2:ffff:ffff:ffff:ffff')).toBe('58');
    expect(await remaining('2001:db8:1:3::1')).toBe('59');
    expect(await remaining('192.0.2.1')).toBe('59');
    expect(await remaining('::ffff:192.0.2.1')).toBe('58');
    expect(await remaining('no address')).toBe('59');
  });
});

it('codes, tokens and secrets are stored only as hashes or encrypted', async () => {
  const code = await issueCode();
  const pair = (await redeem(code)).body;
  const tables = await query(`select table_name as name from information_schema.tables where table_schema = 'unified'`);
  const [{ dump }] = await query(
    `select string_agg(row::text, '') as dump from (${tables
      .map(({ name }) => `select to_json(t)::text as row from unified."${name}" t`)
      .join(' union all ')}) rows`,
  );
  expect(dump).toContain(clientId);
  for (const each of [code, pair.access_token, pair.refresh_token, secret, api.connection.token])
    expect(dump).not.toContain(each.slice(4));
  expect(dump).not.toMatch(/"d":/);
});
