import { operations, ServiceError } from '@unified/contract';
import { DEFAULT_SCOPES } from '@unified/store';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationPrincipal,
  type ConnectionPrincipal,
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
const authenticate = createAuthenticate({
  connectionToken: async (authorization) => {
    if (authorization === 'connection') return principal;
    throw new ServiceError(
      authorization === 'old' ? 'SERVICE_TOKEN_EXPIRED' : 'SERVICE_UNAUTHORIZED',
      'Send the token of a connection.',
    );
  },
  adminToken: async (authorization) => {
    if (authorization === 'application') return application;
    throw new ServiceError('SERVICE_UNAUTHORIZED', 'Send an access token.');
  },
  personalAccessToken: async (authorization) => {
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
    expect(await authenticate(operation('listVendors'), 'connection')).toBe(principal);
    await expect(authenticate(operation('listVendors'), 'other')).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: 'Send the token of a connection.',
    });
    await expect(authenticate(operation('listVendors'), 'old')).rejects.toMatchObject({
      code: 'SERVICE_TOKEN_EXPIRED',
    });
  });

  it('that needs no credentials accepts any', async () => {
    for (const sent of [undefined, 'connection', 'other'])
      expect(await authenticate(operation('getHealth'), sent)).toEqual({ credential: 'none' });
  });

  it('refuses credentials of another kind, even if valid', async () => {
    const served = { ...operation('listVendors'), security: ['adminToken'] as const };
    await expect(authenticate(served, 'connection')).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: expect.stringMatching(/token of a connection.*Management API needs an access token/),
    });
    expect(await authenticate(served, 'application')).toBe(application);
    await expect(authenticate(operation('listVendors'), 'application')).rejects.toMatchObject({
      code: 'SERVICE_UNAUTHORIZED',
      message: expect.stringMatching(/access token of an application.*data API needs the token of a connection/),
    });
    await expect(authenticate(operation('executeMcpTool'), 'connection')).rejects.toMatchObject({
      message: expect.stringMatching(/token of a connection.*MCP needs a personal access token/),
    });
    await expect(authenticate(operation('listVendors'), 'user')).rejects.toMatchObject({
      message: expect.stringMatching(/personal access token of an MCP user/),
    });
    expect(await authenticate(operation('executeMcpTool'), 'user')).toBe(user);
    await expect(authenticate(served, 'old')).rejects.toMatchObject({ message: 'Send an access token.' });
  });
});

it('the sender of a request for an unknown address is identified by any credential', async () => {
  expect(await authenticate(undefined, 'connection')).toBe(principal);
});
