import { openIdProvider } from '@unified/server';
import { createSignInLink, operatorById, pageOfAudit } from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT, type RunningProvider, startProvider } from './openid-accounts.ts';

const PUBLIC_URL = 'http://localhost:4000';
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

let provider: RunningProvider;
let api: TestApi;
let database: pg.Pool;

beforeAll(async () => {
  provider = await startProvider(`${PUBLIC_URL}/console/openid`);
  const settings = { issuer: provider.issuer, ...CLIENT, name: 'Northwind Login', trustsEmail: false };
  api = await startApi({ openIdProvider: openIdProvider(settings, PUBLIC_URL) });
  database = new pg.Pool({ connectionString: api.url, max: 1 });
});
// Attempts are limited.
beforeEach(() => database.query('delete from unified.sign_in_failures'));
afterAll(async () => {
  await database?.end();
  await api?.stop();
  await provider?.stop();
});

const send = (path: string, json?: object, cookie?: string) =>
  api.fetch<{ code?: string; message?: string; data: { url: string; session: object; operator: object } }>(
    `/v4/console${path}`,
    {
      method: 'POST',
      token: null,
      headers: { ...SAME_ORIGIN, ...(cookie && { Cookie: cookie }) },
      ...(json && { json }),
    },
  );

/** Begins a sign-in. Returns the address of the provider and the cookie that the browser keeps. */
async function begin() {
  const { status, body, headers } = await send('/openid-sign-in');
  expect(status).toBe(201);
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return { url: body.data.url, cookie };
}

/** Signs in as an account of the provider. */
async function signIn(subject: string) {
  const { url, cookie } = await begin();
  return send('/openid-session', { response: await provider.signIn(url, subject) }, cookie);
}

let people = 0;

/** An invited operator with an account of the provider that has the same address. */
async function person(verified: boolean | undefined = true) {
  const operator = await api.operator('operator');
  people += 1;
  const subject = `person-${people}`;
  const account = { email: operator.email.toUpperCase(), ...(verified !== undefined && { email_verified: verified }) };
  provider.accounts.set(subject, account);
  return { operator, subject };
}

describe('an operator with an account of the provider', () => {
  it('signs in, and reaches the console with the cookie of the session', async () => {
    const { operator, subject } = await person();
    const { status, body, headers } = await signIn(subject);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ operator: { id: operator.id }, session: { method: 'openid_connect' } });
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    const current = await api.fetch('/v4/console/session', { token: null, headers: { Cookie: cookie } });
    expect(current.status).toBe(200);
  });

  it('is named by the audit log, with the identity that was assigned', async () => {
    const { operator, subject } = await person();
    await signIn(subject);
    const scope = api.store.application(api.connection.applicationId);
    const entries = await pageOfAudit(scope, { actor: operator.id, withOperators: true, limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['operator.bind_identity', 'console_session.create']),
    );
  });

  it('signs in again after the address has changed at the provider', async () => {
    const { operator, subject } = await person();
    await signIn(subject);
    provider.accounts.set(subject, { email: 'married@northwind.example', email_verified: true });
    expect((await signIn(subject)).body.data.operator).toMatchObject({ id: operator.id });
  });

  it('is not replaced by another account that gets the address', async () => {
    const { operator, subject } = await person();
    await signIn(subject);
    provider.accounts.set('successor', { email: operator.email, email_verified: true });
    const { status, body } = await signIn('successor');
    expect([status, body.code]).toEqual([401, 'SERVICE_UNAUTHORIZED']);
    expect(body.message).toContain('No operator can sign in');
  });

  it('can get another account after using a one-time link', async () => {
    const { operator, subject } = await person();
    await signIn(subject);
    const { token } = await createSignInLink(api.store, operator.id);
    await send('/first-sign-in', { token, password: 'correct horse battery staple' });
    provider.accounts.set('second account', { email: operator.email, email_verified: true });
    expect((await signIn('second account')).status).toBe(201);
  });

  it('is refused after being deactivated', async () => {
    const { operator, subject } = await person();
    await signIn(subject);
    const admin = await api.operator();
    const change = { method: 'PATCH', token: null, headers: admin.headers, json: { isActive: false } };
    expect((await api.fetch(`/v4/console/operators/${operator.id}`, change)).status).toBe(200);
    expect((await signIn(subject)).status).toBe(401);
  });
});

describe('no one is signed in', () => {
  it('without an invitation, and no operator is created', async () => {
    provider.accounts.set('stranger', { email: 'stranger@northwind.example', email_verified: true });
    const { status, body } = await signIn('stranger');
    expect([status, body.message]).toEqual([401, expect.stringContaining('Ask an admin to invite you')]);
  });

  it.each([false, undefined])('with an address that the provider has not verified (%s)', async (verified) => {
    const { operator, subject } = await person(verified);
    if (verified === undefined) provider.accounts.set(subject, { email: operator.email });
    const { status, body } = await signIn(subject);
    expect([status, body.message]).toEqual([401, expect.stringContaining('no verified email address')]);
    expect((await operatorById(api.store, operator.id))?.isActive).toBe(true);
  });

  it('with a response in another browser', async () => {
    const { subject } = await person();
    const { url } = await begin();
    const response = await provider.signIn(url, subject);
    for (const cookie of [undefined, (await begin()).cookie]) {
      const { status, body } = await send('/openid-session', { response }, cookie);
      expect([status, body.code]).toEqual([401, 'SERVICE_UNAUTHORIZED']);
    }
  });

  it('with a response that was used before', async () => {
    const { subject } = await person();
    const { url, cookie } = await begin();
    const response = await provider.signIn(url, subject);
    expect((await send('/openid-session', { response }, cookie)).status).toBe(201);
    expect((await send('/openid-session', { response }, cookie)).status).toBe(401);
  });

  it.each([
    ['a refusal of the provider', 'error=access_denied'],
    ['an invented code', 'code=invented'],
    ['no code', 'nothing=here'],
    ['an incomplete escape', 'code=%E0%A4%A'],
  ])('with %s', async (_, text) => {
    const { url, cookie } = await begin();
    const state = new URL(url).searchParams.get('state') ?? '';
    const { status, body } = await send(
      '/openid-session',
      { response: `${text}&state=${state}&iss=${provider.issuer}` },
      cookie,
    );
    expect([status, body.code]).toEqual([401, 'SERVICE_UNAUTHORIZED']);
  });

  it('after too many failed attempts from a network, even with a valid response', async () => {
    const { subject } = await person();
    const { url, cookie } = await begin();
    const response = await provider.signIn(url, subject);
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await send('/openid-session', { response: 'code=invented' }, cookie)).status).toBe(401);
    const { status, headers } = await send('/openid-session', { response }, cookie);
    expect([status, headers.get('retry-after')]).toEqual([429, '15']);
  });

  it.each(['sign-in', 'session'])('from a page of another site (openid-%s)', async (name) => {
    const sent = { method: 'POST', token: null, headers: { 'Sec-Fetch-Site': 'cross-site' } };
    expect((await api.fetch(`/v4/console/openid-${name}`, { ...sent, json: { response: 'code=a' } })).status).toBe(403);
  });
});

describe('the provider', () => {
  it('is named by the ways to sign in', async () => {
    const { body } = await api.fetch('/v4/console/sign-in-methods', { token: null });
    expect(body.data).toMatchObject({ provider: 'Northwind Login' });
  });

  it('learns neither the code verifier nor the secret of the cookie from the address', async () => {
    const { url, cookie } = await begin();
    const [, secret = ''] = cookie.split('=');
    expect(url).not.toContain(secret);
    const names = [...new URL(url).searchParams.keys()].sort();
    expect(names).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
  });

  it('is optional: without it, the refusal names the setting', async () => {
    const without = await startApi();
    const { status, body } = await without.fetch('/v4/console/openid-sign-in', {
      method: 'POST',
      token: null,
      headers: SAME_ORIGIN,
    });
    await without.stop();
    expect([status, body.message]).toEqual([401, expect.stringContaining('OPENID_ISSUER')]);
  });

  it('is reported as unavailable while it cannot be reached', async () => {
    const gone = await startProvider(`${PUBLIC_URL}/console/openid`);
    const settings = { issuer: gone.issuer, ...CLIENT, name: 'Gone', trustsEmail: false };
    await gone.stop();
    const other = await startApi({ openIdProvider: openIdProvider(settings, PUBLIC_URL) });
    const { status, body, headers } = await other.fetch('/v4/console/openid-sign-in', {
      method: 'POST',
      token: null,
      headers: SAME_ORIGIN,
    });
    await other.stop();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '10']);
  });
});
