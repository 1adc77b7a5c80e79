import type { TokenHolder } from '@unified/store';
import { expect, it } from 'vitest';
import { connectionTokenAuthenticator } from './connection-token.ts';

const valid = `Bearer sct_${'a'.repeat(43)}`;
const invented = `Bearer sct_${'b'.repeat(43)}`;
const holder: TokenHolder = {
  ...{ applicationId: 'application', connectionId: 'connection', tokenId: 'token' },
  ...{ platform: 'sandbox', status: 'active', expiresAt: null },
};

/** Authentication where one token is valid, and the tokens that were looked up. */
function authentication(found = holder) {
  const lookedUp: string[] = [];
  const authenticate = connectionTokenAuthenticator(async (token) => {
    lookedUp.push(token);
    return valid.endsWith(token) ? found : null;
  });
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

it('so is one that has expired', async () => {
  const { authenticate, lookedUp } = authentication({ ...holder, expiresAt: '2020-01-01T00:00:00Z' });
  for (let request = 0; request < 3; request += 1)
    await expect(authenticate(valid)).rejects.toMatchObject({ code: 'SERVICE_TOKEN_EXPIRED' });
  expect(lookedUp).toHaveLength(1);
});
