import { operations } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlersOf } from '../src/operations/handlers.ts';

const handlers = handlersOf();

const ID = '0199d2a4-0000-7000-8000-000000000000';
const closed = operations.filter(({ kind, open }) => !open && kind !== 'planned');
const ofKind = (kind: string) => operations.filter((operation) => operation.kind === kind);
const addressOf = (path: string) => `/v4${path.replaceAll(/\{\w+\}/g, ID)}`;

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

it('every operation of the document has a handler, and every handler an operation', () => {
  expect(Object.keys(handlers).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const handler of Object.values(handlers)) expect(handler).toBeInstanceOf(Function);
});

describe.each(closed)('$id', ({ method, path }) => {
  it('refuses a parameter that the document does not have', async () => {
    const { status, body } = await api.fetch(`${addressOf(path)}?unheardOf=1`, {
      method: method.toUpperCase(),
      ...(method !== 'get' && method !== 'delete' && { json: {} }),
    });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_PARAMETER']);
    expect(JSON.stringify(body.details)).toContain('unheardOf');
  });
});

it.each(ofKind('planned'))('$id is described and not available yet', async ({ bases, method, path }) => {
  const { status, body } = await api.fetch(`${bases[0]}${path.replaceAll(/\{\w+\}/g, ID)}`, {
    method: method.toUpperCase(),
  });
  expect([status, body.code]).toEqual([501, 'SERVICE_NOT_IMPLEMENTED']);
});

describe.each(ofKind('list'))('$id', ({ path }) => {
  it('answers a page as the document describes it', async () => {
    const { status, body } = await api.fetch(addressOf(path));
    expect([status, body]).toEqual([200, { meta: expect.anything(), data: [] }]);
  });
});

describe.each(ofKind('get'))('$id', ({ path }) => {
  it('finds nothing under an unknown id', async () => {
    expect(await api.fetch(addressOf(path))).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
  });
});
