import { type Operation, operations } from '@unified/contract';
import { exampleAddress, api as startApi, type TestApi, type TestOperator } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ID = '0199d2a4-0000-7000-8000-000000000000';
const ROLES = ['viewer', 'operator', 'admin'] as const;
type Role = (typeof ROLES)[number];

/** What only an admin may do. Written out again here, so that a change of the server does not change the expectation. */
const FOR_ADMINS = [
  ...['createClientSecret', 'getClientSecret', 'revokeClientSecret', 'registerClient', 'updateClient'],
  ...['addRedirectUri', 'replaceRedirectUri', 'deleteRedirectUri'],
  'createPersonalAccessToken',
  ...['inviteOperator', 'updateOperator', 'deleteOperator', 'createSignInLink'],
];

let api: TestApi;
const signedIn: Partial<Record<Role, TestOperator>> = {};
const tokens: Partial<Record<Role, { readonly management: string; readonly connection: string }>> = {};

beforeAll(async () => {
  api = await startApi({ rateLimits: { console: 100_000 } });
  const { applicationId, connectionId } = api.connection;
  for (const role of ROLES) {
    const operator = await api.operator(role);
    const issue = async (path: string, json: object) => {
      const sent = { method: 'POST', json, headers: operator.headers, token: null };
      return (await api.fetch<{ data: { token: string } }>(`/v4/console/${path}`, sent)).body.data.token;
    };
    signedIn[role] = operator;
    tokens[role] = {
      management: await issue('management-token', { applicationId }),
      connection: await issue('connection-tokens', { connectionId }),
    };
  }
});
afterAll(() => api.stop());

/** The status of a request that is refused by its parameters if the role allows the operation. It has no effect. */
async function refusal(
  operation: Operation,
  sent: { token: string | null; headers?: Readonly<Record<string, string>> },
) {
  const { method } = operation;
  const { status, body } = await api.fetch(`${exampleAddress(operation, ID)}?unheardOf=1`, {
    ...{ method: method.toUpperCase(), ...sent },
    ...(method !== 'get' && method !== 'delete' && { json: {} }),
  });
  return [status, body.code];
}

const FORBIDDEN = [403, 'SERVICE_FORBIDDEN'];
const ALLOWED = [400, 'SERVICE_INVALID_PARAMETER'];

describe.each(ROLES)('a %s', (role) => {
  const managing = operations.filter(({ surface }) => surface === 'management');
  it.each(managing.map((operation) => [operation.id, operation] as const))(
    'may or may not call %s',
    async (id, operation) => {
      const needed: Role = FOR_ADMINS.includes(id) ? 'admin' : operation.method === 'get' ? 'viewer' : 'operator';
      const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      expect(await refusal(operation, { token: tokens[role]?.management ?? '' })).toEqual(
        isAllowed ? ALLOWED : FORBIDDEN,
      );
    },
  );

  const ofConsole = operations.filter(({ surface, security }) => surface === 'console' && security.length > 0);
  it.each(ofConsole.map((operation) => [operation.id, operation] as const))(
    'may or may not call %s',
    async (id, operation) => {
      const isAllowed = role === 'admin' || !FOR_ADMINS.includes(id);
      const headers = signedIn[role]?.headers ?? {};
      expect(await refusal(operation, { token: null, headers })).toEqual(isAllowed ? ALLOWED : FORBIDDEN);
    },
  );
});

describe('the data of a connection', () => {
  const changing = operations.filter(
    ({ surface, method, id }) =>
      surface === 'data' && method !== 'get' && id !== 'runQuery' && id !== 'sendPassthrough',
  );
  it.each(changing.map((operation) => [operation.id, operation] as const))(
    'is changed by an operator but not a viewer with %s',
    async (_, operation) => {
      expect(await refusal(operation, { token: tokens.viewer?.connection ?? '' })).toEqual(FORBIDDEN);
      expect(await refusal(operation, { token: tokens.operator?.connection ?? '' })).toEqual(ALLOWED);
    },
  );

  it('is never called directly in the connected system', async () => {
    const passthrough =
      operations.find(({ id }) => id === 'sendPassthrough') ?? expect.fail('There is no passthrough.');
    for (const role of ROLES)
      expect(await refusal(passthrough, { token: tokens[role]?.connection ?? '' })).toEqual(FORBIDDEN);
  });
});
