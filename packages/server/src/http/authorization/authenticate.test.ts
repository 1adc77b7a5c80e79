import { operations, ServiceError } from '@unified/contract';
import type { TokenHolder } from '@unified/store';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionPrincipal,
  connectionTokenAuthenticator,
  createAuthenticate,
  createLookUp,
} from './authenticate.ts';

const principal: ConnectionPrincipal = {
  ...{ credential: 'connectionToken', applicationId: 'application', connectionId: 'connection', tokenId: 'token' },
  ...{ platform: 'sandbox', status: 'active', expiresAt: null },
};
const authenticate = createAuthenticate({
  connectionToken: async (authorization) => {
    if (authorization === 'connection') return principal;
    throw new ServiceError(
      authorization === 'old' ? 'SERVICE_TOKEN_EXPIRED' : 'SERVICE_UNAUTHORIZED',
      'Send the token of a connection.',
    );
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
    await expect(authenticate(served, 'connection')).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
  });
});

it('a client of an operation that is not served is identified by any credential', async () => {
  expect(await authenticate(undefined, 'connection')).toBe(principal);
  expect(await authenticate(operation('listClients'), 'connection')).toBe(principal);
});

const valid = `Bearer sct_${'a'.repeat(43)}`;
const invented = `Bearer sct_${'b'.repeat(43)}`;
const holder: TokenHolder = {
  ...{ applicationId: 'application', connectionId: 'connection', tokenId: 'token' },
  ...{ platform: 'sandbox', status: 'active', expiresAt: null },
};

const unexpected = (error: unknown) => {
  throw error;
};

/** Authentication where one token is valid, and the tokens that were looked up. */
function authentication(found = holder) {
  const lookedUp: string[] = [];
  const authenticate = connectionTokenAuthenticator(async (token) => {
    lookedUp.push(token);
    return valid.endsWith(token) ? found : null;
  }, unexpected);
  return { authenticate, lookedUp };
}

it('a token is looked up once for many requests, whether it is valid or not', async () => {
  const { authenticate, lookedUp } = authentication();
  for (let request = 0; request < 3; request += 1) {
    expect(await authenticate(valid)).toEqual({ credential: 'connectionToken', ...holder });
    await expect(authenticate(invented)).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
  }
  expect(lookedUp).toHaveLength(2);
});

it('an expired token is looked up once, too', async () => {
  const { authenticate, lookedUp } = authentication({ ...holder, expiresAt: '2020-01-01T00:00:00Z' });
  for (let request = 0; request < 3; request += 1)
    await expect(authenticate(valid)).rejects.toMatchObject({ code: 'SERVICE_TOKEN_EXPIRED' });
  expect(lookedUp).toHaveLength(1);
});

it('a token is looked up where the cache fails, and each failure is reported', async () => {
  const errors: unknown[] = [];
  const fail = async () => {
    throw new Error('The cache is not reachable.');
  };
  const authenticate = connectionTokenAuthenticator(
    async (token) => (valid.endsWith(token) ? holder : null),
    (error) => errors.push(error),
    { get: fail, set: fail },
  );
  expect(await authenticate(valid)).toEqual({ credential: 'connectionToken', ...holder });
  await expect(authenticate(invented)).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
  expect(errors).toHaveLength(4);
});

it('concurrent requests for one key share a lookup', async () => {
  const asked: string[] = [];
  const found = Promise.withResolvers<string>();
  const lookUp = createLookUp((key) => {
    asked.push(key);
    return found.promise;
  });
  const all = Promise.all([lookUp('a', 'key a'), lookUp('a', 'key a'), lookUp('b', 'key b')]);
  found.resolve('found');
  expect(await all).toEqual(['found', 'found', 'found']);
  expect(asked).toEqual(['key a', 'key b']);
  expect(await lookUp('a', 'key a')).toBe('found');
  expect(asked).toHaveLength(3);
});

it('an unreachable database is not queried again immediately', async () => {
  let asked = 0;
  const lookUp = createLookUp(async () => {
    asked += 1;
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The database is not reachable.', { retryAfter: 1 });
  });
  for (const name of ['a', 'b', 'c'])
    await expect(lookUp(name, name)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(asked).toBe(1);
});

it('at most a thousand requests wait for a hanging database', async () => {
  const lookUp = createLookUp(() => new Promise<string>(() => {}));
  for (let n = 0; n < 1_000; n += 1) void lookUp(`${n}`, 'key');
  await expect(lookUp('one more', 'key')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
});
