import { operations } from '@unified/contract';
import { exampleAddress, api as startApi, type TestApi, type TestOperator } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlersOf } from '../src/operations/handlers.ts';

const ID = '0199d2a4-0000-7000-8000-000000000000';
const closed = operations.filter(({ security }) => security.length > 0);
const ofKind = (kind: string) => operations.filter((operation) => operation.kind === kind);
const addressOf = (path: string) => `/v4${path.replaceAll(/\{\w+\}/g, ID)}`;

let api: TestApi;
let adminToken: string;
let userToken: string;
let operator: TestOperator;
let passthroughToken: string;

beforeAll(async () => {
  api = await startApi();
  adminToken = (await api.signIn()).token;
  userToken = (await api.mcpUser()).token;
  operator = await api.operator();
  passthroughToken = await api.connection.issueToken({ scopes: ['passthrough'] });
});
afterAll(() => api.stop());

describe('the handlers', () => {
  it('serve every operation, each in its surface', () => {
    const handlers = [...handlersOf(operations)].map(([id, { surface }]) => [id, surface]);
    expect(handlers).toEqual(operations.map(({ id, surface }) => [id, surface]));
  });

  it('do not serve an operation in another surface, nor an unknown one', () => {
    const [list] = ofKind('list');
    if (!list) throw new Error('The document has no list.');
    expect(() => handlersOf([{ ...list, surface: 'management' }])).toThrow(
      `No handler serves ${list.id} in the surface management.`,
    );
    expect(() => handlersOf([{ ...list, id: 'getWeather', kind: 'other' }])).toThrow('No handler serves getWeather');
  });
});

describe.each(closed)('$id', (operation) => {
  const { method, surface } = operation;
  it('refuses a parameter that the document does not have', async () => {
    const { status, body } = await api.fetch(`${exampleAddress(operation, ID)}?unheardOf=1`, {
      method: method.toUpperCase(),
      ...(surface === 'management' && { token: adminToken }),
      ...(surface === 'mcp' && { token: userToken }),
      ...(surface === 'console' && { headers: operator.headers }),
      ...(operation.id === 'sendPassthrough' && { token: passthroughToken }),
      ...(method !== 'get' && method !== 'delete' && { json: {} }),
    });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
    expect(JSON.stringify(body.details)).toContain('unheardOf');
  });
});

describe.each(ofKind('list'))('$id', ({ path }) => {
  it('returns a page as the document describes it', async () => {
    const { status, body } = await api.fetch(addressOf(path));
    expect([status, body]).toEqual([200, { meta: expect.anything(), data: [] }]);
  });
});

describe.each(ofKind('get'))('$id', ({ path }) => {
  it('finds nothing with an unknown id', async () => {
    expect(await api.fetch(addressOf(path))).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
  });
});
