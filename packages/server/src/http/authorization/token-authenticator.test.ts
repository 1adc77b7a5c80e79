import { ServiceError } from '@unified/contract';
import { DEFAULT_SCOPES, type TokenHolder } from '@unified/store';
import { expect, it } from 'vitest';
import { connectionTokenAuthenticator, createLookUp } from './token-authenticator.ts';

const valid = `Bearer sct_${'a'.repeat(43)}`;
const invented = `Bearer sct_${'b'.repeat(43)}`;
const holder: TokenHolder = {
  ...{ applicationId: 'application', connectionId: 'connection', tokenId: 'token' },
  ...{
    platform: 'sandbox',
    mappingVersion: 0,
    status: 'active',
    expiresAt: null,
    scopes: DEFAULT_SCOPES,
    access: null,
  },
};

const unexpected = (error: unknown) => {
  throw error;
};

/** Authentication for which one token is valid, and the tokens that were looked up. */
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
    expect(await authenticate({ authorization: valid })).toEqual({ credential: 'connectionToken', ...holder });
    await expect(authenticate({ authorization: invented })).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
  }
  expect(lookedUp).toHaveLength(2);
});

it('an expired token is also looked up only once', async () => {
  const { authenticate, lookedUp } = authentication({ ...holder, expiresAt: '2020-01-01T00:00:00Z' });
  for (let request = 0; request < 3; request += 1)
    await expect(authenticate({ authorization: valid })).rejects.toMatchObject({ code: 'SERVICE_TOKEN_EXPIRED' });
  expect(lookedUp).toHaveLength(1);
});

it('a token is looked up when the cache fails, and each failure is reported', async () => {
  const errors: unknown[] = [];
  const fail = async () => {
    throw new Error('The cache is not reachable.');
  };
  const authenticate = connectionTokenAuthenticator(
    async (token) => (valid.endsWith(token) ? holder : null),
    (error) => errors.push(error),
    { get: fail, set: fail },
  );
  expect(await authenticate({ authorization: valid })).toEqual({ credential: 'connectionToken', ...holder });
  await expect(authenticate({ authorization: invented })).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' });
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
