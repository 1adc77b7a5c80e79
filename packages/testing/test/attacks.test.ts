import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { entities, entityOf, type Operation, operations } from '@unified/contract';
import { saveRecords } from '@unified/store';
import {
  exampleAddress,
  api as startApi,
  type TestApi,
  type TestApplication,
  type TestOperator,
} from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exampleOf } from './documented-bodies.ts';

interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly path: string }[];
}

/** An unknown id that is also a valid name. */
const ID = 'f199d2a4-0000-7000-8000-000000000000';
const addressFor = (operation: Operation) => exampleAddress(operation, ID);

let api: TestApi;
let app: TestApplication;
let userToken: string;
let operator: TestOperator;
let passthroughToken: string;

beforeAll(async () => {
  // The loop over the operations sends more requests than an application may within a minute.
  api = await startApi({ rateLimits: { management: 10_000 } });
  app = await api.signIn(api.connection.applicationId);
  userToken = (await api.mcpUser()).token;
  operator = await api.operator();
  passthroughToken = await api.connection.issueToken({ scopes: ['passthrough'] });
});
afterAll(() => api.stop());

describe('mass assignment', () => {
  /** Names that tables or objects of the service use, but no request body. */
  const INTERNAL = ['applicationId', 'connection_id', 'createdAt', 'deletedAt', 'doc', 'isAdmin', 'lookup', 'seq'];
  const withBody = operations.filter(
    (operation) => exampleOf(operation) !== undefined && operation.surface !== 'oauth',
  );
  const kindsOfRecords = new Set(['create', 'createMany', 'update', 'replace']);

  /** Names that the body of an operation must not have. */
  function forbidden({ kind, entity }: Operation): readonly string[] {
    const fields = (kindsOfRecords.has(kind) ? entityOf(entity ?? '')?.fields : undefined) ?? [];
    const known = new Set(fields.map(({ name }) => name));
    const readOnly = fields.filter(({ writable }) => !writable).map(({ name }) => name);
    return [...readOnly, ...INTERNAL.filter((name) => !known.has(name))];
  }

  it.each(withBody.map((operation) => [operation.id, operation] as const))('is refused by %s', async (_, operation) => {
    const example = exampleOf(operation) ?? {};
    for (const name of forbidden(operation)) {
      const added = { [name]: 'x' };
      const json =
        operation.kind === 'createMany'
          ? { items: [{ ...(example.items as object[])[0], ...added }] }
          : { ...example, ...added };
      const { status, body } = await api.fetch<Refusal>(addressFor(operation), {
        ...{ method: operation.method.toUpperCase(), json },
        ...(operation.surface === 'management' && { token: app.token }),
        ...(operation.surface === 'mcp' && { token: userToken }),
        ...(operation.surface === 'console' && { headers: operator.headers }),
        ...(operation.id === 'sendPassthrough' && { token: passthroughToken }),
      });
      expect([name, status, body.code]).toEqual([
        name,
        400,
        expect.stringMatching(/^SERVICE_(READ_ONLY_FIELD|INVALID_BODY)$/),
      ]);
      expect(body.details.map(({ path }) => path)).toContainEqual(expect.stringMatching(`/${name}$`));
    }
  });
});

describe('headers of a proxy', () => {
  const EVIL = 'evil.example';
  const FORGED = {
    Host: EVIL,
    Forwarded: `for=203.0.113.1;host=${EVIL};proto=https`,
    'X-Forwarded-Host': EVIL,
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Port': '444',
    'X-Forwarded-Prefix': `//${EVIL}`,
    'X-Original-URL': `https://${EVIL}/v4/clients`,
    'X-Rewrite-URL': '/v4/clients',
    'X-HTTP-Method-Override': 'DELETE',
  };

  /** The response as text: status, headers and body. `fetch` cannot send a different `Host`. */
  async function sent(baseUrl: string, path: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const request = rawRequest(baseUrl + path, {
      headers: { Authorization: `Bearer ${api.connection.token}`, ...headers },
    });
    request.end();
    const [response] = await once(request, 'response');
    const { date: _, 'x-request-id': _id, 'x-ratelimit-remaining': _count, ...others } = response.headers;
    return `${response.statusCode} ${JSON.stringify(others)} ${await text(response)}`;
  }

  it.each([
    '/v4/vendors',
    '/v4/changes',
    '/v4/none',
    '/.well-known/oauth-authorization-server',
    `/oauth/authorize?client_id=${ID}&response_type=code`,
    '/docs/',
    '/openapi.json',
  ])('change nothing in the response: %s', async (path) => {
    await saveRecords(api.connection.scope, entities.Vendor, [
      { _source: 'v', _idValue: '1', values: { name: 'ACME' }, references: {} },
    ]);
    const forged = await sent(api.baseUrl, path, FORGED);
    const plain = await sent(api.baseUrl, path, {});
    expect(forged).not.toContain(EVIL);
    expect(forged.replace(/"x-ratelimit-reset":"\d+"/, '')).toBe(plain.replace(/"x-ratelimit-reset":"\d+"/, ''));
  });

  it.each([
    [false, ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP']],
    [true, ['Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP']],
  ])('do not divide the budget of a client (TRUST_PROXY: %s)', async (trustProxy, names) => {
    const own = await startApi({ trustProxy, rateLimits: { token: names.length } });
    onTestFinished(() => own.stop());
    const guess = (headers = {}) =>
      own.fetch('/oauth/token', {
        ...{ method: 'POST', token: null, headers },
        json: { grant_type: 'client_credentials', client_id: ID, client_secret: 'guess' },
      });
    for (const [index, name] of names.entries())
      expect((await guess({ [name]: `203.0.113.${index}` })).status).toBe(401);
    expect((await guess({ 'X-Real-IP': '203.0.113.99' })).status).toBe(429);
  });
});
