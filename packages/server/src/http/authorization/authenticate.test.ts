import { operations, ServiceError } from '@unified/contract';
import { DEFAULT_SCOPES } from '@unified/store';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationPrincipal,
  type ConnectionPrincipal,
  type ConsolePrincipal,
  createAuthenticate,
  type McpPrincipal,
} from './authenticate.ts';

const principal: ConnectionPrincipal = {
  ...{ credential: 'connectionToken', applicationId: 'application', connectionId: 'connection', tokenId: 'token' },
  ...{
    platform: 'sandbox',
    mappingVersion: 0,
    status: 'active',
    expiresAt: null,
    scopes: DEFAULT_SCOPES,
    access: null,
  },
};
const application: ApplicationPrincipal = {
  ...{ credential: 'adminToken', applicationId: 'application', clientId: 'client', expiresAt: '2999-01-01T00:00:00Z' },
};
const user: McpPrincipal = {
  ...{ credential: 'personalAccessToken', applicationId: 'application', endCustomerId: 'customer', userId: 'user' },
  ...{ tokenId: 'token', expiresAt: null },
};
const session: ConsolePrincipal = {
  credential: 'consoleSession',
  operator: {
    ...{ id: 'operator', email: 'maria@northwind.example', name: 'Maria', role: 'admin', isActive: true },
    ...{ isInvited: false, createdAt: '2026-01-01T00:00:00Z', lastSignInAt: null },
  },
  session: {
    ...{ id: 'session', operatorId: 'operator', method: 'password', address: '192.0.2.1', browser: null },
    ...{ createdAt: '2026-01-01T00:00:00Z', lastUsedAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' },
  },
};
const authenticate = createAuthenticate({
  consoleSession: async ({ cookie }) => {
    if (cookie === 'session') return session;
    throw new ServiceError('SERVICE_UNAUTHORIZED', 'There is no session.');
  },
  connectionToken: async ({ authorization }) => {
    if (authorization === 'connection') return principal;
    throw new ServiceError(
      authorization === 'old' ? 'SERVICE_TOKEN_EXPIRED' : 'SERVICE_UNAUTHORIZED',
      'Send the token of a connection.',
    );
  },
  adminToken: async ({ authorization }) => {
    if (authorization === 'application') return application;
    throw new ServiceError('SERVICE_UNAUTHORIZED', 'Send an access token.');
  },
  personalAccessToken: async ({ authorization }) => {
    if (authorization === 'user') return user;
    throw new ServiceError('SERVICE_UNAUTHORIZED', 'Send a personal access token.');
  },
});
const operation = (id: string) => {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};

describe('an operation', () => {
  it('accepts the credentials that the document declares for it', async () => {
    expect(await authenticate(operation('listVendors'), { authorization: 'connection' })).toBe(principal);
    await expect(authenticate(operation('listVendors'), { authorization: 'other' })).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: 'Send the token of a connection.',
    });
    await expect(authenticate(operation('listVendors'), { authorization: 'old' })).rejects.toMatchObject({
      code: 'SERVICE_TOKEN_EXPIRED',
    });
  });

  it('that needs no credentials accepts any', async () => {
    for (const authorization of [undefined, 'connection', 'other'])
      expect(await authenticate(operation('getHealth'), { authorization })).toEqual({ credential: 'none' });
  });

  it('refuses credentials of another kind, even if valid', async () => {
    const served = { ...operation('listVendors'), security: ['adminToken'] as const };
    await expect(authenticate(served, { authorization: 'connection' })).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: expect.stringMatching(/token of a connection.*Management API needs an access token/),
    });
    expect(await authenticate(served, { authorization: 'application' })).toBe(application);
    await expect(authenticate(operation('listVendors'), { authorization: 'application' })).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: expect.stringMatching(/access token of an application.*data API needs the token of a connection/),
    });
    await expect(authenticate(operation('executeMcpTool'), { authorization: 'connection' })).rejects.toMatchObject({
      message: expect.stringMatching(/token of a connection.*MCP needs a personal access token/),
    });
    await expect(authenticate(operation('listVendors'), { authorization: 'user' })).rejects.toMatchObject({
      message: expect.stringMatching(/personal access token of an MCP user/),
    });
    expect(await authenticate(operation('executeMcpTool'), { authorization: 'user' })).toBe(user);
    await expect(authenticate(served, { authorization: 'old' })).rejects.toMatchObject({
      message: 'Send an access token.',
    });
  });
});

describe('the session of the console', () => {
  it('is accepted only by the console, which accepts no token', async () => {
    const sent = { cookie: 'session', authorization: 'other' };
    expect(await authenticate(operation('getConsoleSession'), sent)).toBe(session);
    await expect(authenticate(operation('listVendors'), sent)).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
    await expect(authenticate(operation('listClients'), sent)).rejects.toMatchObject({
      message: 'Send an access token.',
    });
    await expect(authenticate(operation('getConsoleSession'), { authorization: 'application' })).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
    });
  });
});

it('the sender of a request for an unknown address is identified by any credential', async () => {
  expect(await authenticate(undefined, { authorization: 'connection' })).toBe(principal);
});
