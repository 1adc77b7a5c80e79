import { operations } from '@unified/contract';
import { createSignInLink, pageOfAudit } from '@unified/store';
import { api as startApi, type TestApi, type TestOperator } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Hashes of passwords are slow on purpose.
vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = 'correct horse battery staple';

let api: TestApi;
let database: pg.Pool;

beforeAll(async () => {
  api = await startApi();
  database = new pg.Pool({ connectionString: api.url, max: 1 });
});
afterAll(async () => {
  await database.end();
  await api.stop();
});

interface Call {
  /** Who sends it; absent for a sign-in. */
  readonly by?: TestOperator;
  readonly path: string;
  readonly json?: object;
  readonly action: string;
  /** The operator that the log names, if not the sender. */
  readonly actor?: string;
}

/** An operator who has set this password with a one-time link. */
async function withPassword() {
  const operator = await api.operator();
  const { token } = await createSignInLink(api.store, operator.id);
  const { status } = await send('POST', { path: '/first-sign-in', json: { token, password: PASSWORD } });
  expect(status).toBe(201);
  // The link has ended the session of before.
  return { ...operator, headers: { 'Sec-Fetch-Site': 'same-origin' } };
}

function send(method: string, { by, path, json }: Pick<Call, 'by' | 'path' | 'json'>, requestId = 'preparation') {
  const headers = { ...(by?.headers ?? { 'Sec-Fetch-Site': 'same-origin' }), 'X-Request-Id': requestId };
  return api.fetch(`/v4/console${path}`, { method, token: null, headers, ...(json && { json }) });
}

/** A call of each operation of the console that changes something. */
const calls: Readonly<Record<string, () => Promise<Call>>> = {
  async createConsoleSession() {
    const { email, id } = await withPassword();
    const json = { email, password: PASSWORD };
    return { path: '/session', json, action: 'console_session.create', actor: id };
  },
  async endConsoleSession() {
    return { by: await api.operator('viewer'), path: '/session', action: 'console_session.end' };
  },
  async redeemSignInLink() {
    const { id } = await api.operator('viewer');
    const { token } = await createSignInLink(api.store, id);
    const json = { token, password: PASSWORD };
    return { path: '/first-sign-in', json, action: 'console_session.create', actor: id };
  },
  async changeConsolePassword() {
    // Without a password so far, no current one is required.
    return {
      by: await api.operator(),
      path: '/password',
      json: { newPassword: PASSWORD },
      action: 'operator.set_password',
    };
  },
  async revokeConsoleSession() {
    const { sessionId } = await api.operator();
    return { by: await api.operator(), path: `/sessions/${sessionId}`, action: 'console_session.end' };
  },
  async inviteOperator() {
    const json = { email: `invited-${Date.now()}@northwind.example`, name: 'Invited', role: 'viewer' };
    return { by: await api.operator(), path: '/operators', json, action: 'operator.create' };
  },
  async updateOperator() {
    const { id } = await api.operator('viewer');
    return {
      by: await api.operator(),
      path: `/operators/${id}`,
      json: { role: 'operator' },
      action: 'operator.update',
    };
  },
  async deleteOperator() {
    const { id } = await api.operator('viewer');
    return { by: await api.operator(), path: `/operators/${id}`, action: 'operator.delete' };
  },
  async createSignInLink() {
    const { id } = await api.operator('viewer');
    return { by: await api.operator(), path: `/operators/${id}/link`, action: 'operator.create_link' };
  },
  async issueManagementToken() {
    const { applicationId } = api.connection;
    return {
      by: await api.operator(),
      path: '/management-token',
      json: { applicationId },
      action: 'console_token.create',
    };
  },
  async issueConsoleConnectionToken() {
    const { connectionId } = api.connection;
    return {
      by: await api.operator(),
      path: '/connection-tokens',
      json: { connectionId },
      action: 'console_token.create',
    };
  },
};

/** Operations that need an OpenID Connect provider, whose tests cover the same. */
const WITH_PROVIDER = ['beginOpenIdSignIn', 'completeOpenIdSignIn'];
const changing = operations.filter(
  ({ id, surface, method }) => surface === 'console' && method !== 'get' && !WITH_PROVIDER.includes(id),
);

it('calls every operation of the console that changes something', () => {
  expect(Object.keys(calls).toSorted()).toEqual(changing.map(({ id }) => id).toSorted());
});

describe.each(changing.map(({ id, method }) => ({ id, method: method.toUpperCase() })))('$id', ({ id, method }) => {
  it('records which operator has changed what, and no secret', async () => {
    const call = (await calls[id]?.()) ?? expect.fail('There is no call.');
    const { status, body } = await send(method, call, `walk-${id}`);
    expect(status).toBeLessThan(300);
    const application = api.store.application(api.connection.applicationId);
    const entries = (await pageOfAudit(application, { withOperators: true, limit: 5 })).filter(
      ({ requestId }) => requestId === `walk-${id}`,
    );
    expect(entries[0]).toMatchObject({
      ...{ actorType: 'operator', actor: call.actor ?? call.by?.id, operation: id, action: call.action },
      address: '127.0.0.1',
    });
    const stored = JSON.stringify(entries);
    const secrets = JSON.stringify(body ?? {}).match(/s[a-z]{2}_[\w-]{43}/g) ?? [];
    for (const secret of [...secrets, PASSWORD, 'scrypt']) expect(stored).not.toContain(secret);
  });

  it('changes nothing for a page of another site', async () => {
    const { by, path, json } = (await calls[id]?.()) ?? expect.fail('There is no call.');
    const forged = { ...by?.headers, 'Sec-Fetch-Site': 'cross-site' };
    const sent = { method, token: null, headers: forged, ...(json && { json }) };
    const { status, body } = await api.fetch(`/v4/console${path}`, sent);
    expect([status, body.code]).toEqual([403, 'SERVICE_FORBIDDEN']);
  });
});

describe('a one-time link', () => {
  it('that has expired is refused', async () => {
    const { id } = await api.operator();
    const { token } = await createSignInLink(api.store, id);
    await database.query(`update unified.sign_in_links set "expiresAt" = now() where "operatorId" = $1`, [id]);
    expect((await send('POST', { path: '/first-sign-in', json: { token, password: PASSWORD } })).status).toBe(401);
  });

  it('is used by one of several concurrent requests, and replaces earlier ones', async () => {
    const { id } = await api.operator();
    const earlier = await createSignInLink(api.store, id);
    const { token } = await createSignInLink(api.store, id);
    const redeem = (used: string) =>
      send('POST', { path: '/first-sign-in', json: { token: used, password: PASSWORD } });
    const all = await Promise.all([redeem(token), redeem(token), redeem(token), redeem(earlier.token)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  });

  it('of a deactivated operator is refused', async () => {
    const { id } = await api.operator('viewer');
    const { token } = await createSignInLink(api.store, id);
    const by = await api.operator();
    await send('PATCH', { by, path: `/operators/${id}`, json: { isActive: false } });
    expect((await send('POST', { path: '/first-sign-in', json: { token, password: PASSWORD } })).status).toBe(401);
  });
});

it('the last admin who can sign in keeps the role', async () => {
  await database.query('delete from unified.operators');
  const admin = await api.operator();
  const path = `/operators/${admin.id}`;
  for (const json of [{ role: 'viewer' }, { isActive: false }])
    expect((await send('PATCH', { by: admin, path, json })).body.code).toBe('SERVICE_INVALID_TRANSITION');
  expect((await send('DELETE', { by: admin, path })).body.code).toBe('SERVICE_INVALID_TRANSITION');
  const other = await api.operator();
  expect((await send('DELETE', { by: admin, path: `/operators/${other.id}` })).status).toBe(204);
});

it('an email address belongs to one operator, in any case', async () => {
  const by = await api.operator();
  const json = { email: by.email.toUpperCase(), name: 'Twin', role: 'admin' };
  expect((await send('POST', { by, path: '/operators', json })).body.code).toBe('SERVICE_ALREADY_EXISTS');
});
