import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokenPlatform } from '../../test/token-platform.ts';
import { startTokenServer, type TokenServer } from '../../test/token-server.ts';
import type { Driver } from '../driver.ts';
import { openDriver } from '../platforms.ts';
import { memoryTokenStore, type TokenStore } from './token-store.ts';

const platform = tokenPlatform();
let server: TokenServer;
let opened: Driver[];

beforeEach(async () => {
  server = await startTokenServer();
  opened = [];
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const driver of opened) await driver.close();
  await server.stop();
});

function open(tokens: TokenStore, changed: Readonly<Record<string, string>> = {}): Driver {
  const driver = openDriver(platform, { ...server.settings, ...changed }, { tokens });
  opened.push(driver);
  return driver;
}

/** Makes the clock of this process run ahead, by seconds; timers and sockets are not affected. */
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });

test('an access token is requested once, and shared by concurrent calls and other sessions', async () => {
  const tokens = memoryTokenStore();
  const [one, other] = [open(tokens), open(tokens)];
  await Promise.all([one.check(), one.check(), other.check(), other.check()]);
  expect(server.sent).toEqual(['refresh-0']);
  expect(new Set(server.calls)).toEqual(new Set(['Bearer access-1']));
});

test('an expiring token is renewed with the refresh token that was received last, by one session for all', async () => {
  const tokens = memoryTokenStore();
  const [one, other] = [open(tokens), open(tokens)];
  await one.check();
  await other.check();
  later(3590);
  await Promise.all([one.check(), other.check()]);
  expect(server.sent).toEqual(['refresh-0', 'refresh-1']);
  expect(server.calls.slice(-2)).toEqual(['Bearer access-2', 'Bearer access-2']);
});

test('a token that the system refuses early is renewed once, and the call repeated', async () => {
  const driver = open(memoryTokenStore());
  await driver.check();
  later(120);
  server.expire();
  await driver.check();
  expect(server.sent).toEqual(['refresh-0', 'refresh-1']);
});

test('a system that refuses new tokens as well is not sent one after the other', async () => {
  const driver = open(memoryTokenStore());
  server.behavior.isClosed = true;
  for (let call = 0; call < 3; call += 1)
    await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words: expect.any(String) });
  expect(server.sent).toEqual(['refresh-0']);
});

test('a refused refresh token says that a person must sign in again, and is not sent again immediately', async () => {
  const driver = open(memoryTokenStore());
  server.revoke();
  const words =
    'Token System no longer accepts the refresh token of the connection. Sign in to Token System again, and enter the new refresh token.';
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words, clientWords: words });
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words });
  expect(server.sent).toEqual(['refresh-0']);
  later(61);
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unauthorized' });
  expect(server.sent).toEqual(['refresh-0', 'refresh-0']);
});

test('a refresh token is not sent to a private host other than that of the system', async () => {
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
  const other = await startTokenServer();
  const driver = open(memoryTokenStore(), { tokenUrl: `${other.origin}/token` });
  const refusal = await driver.check().catch((error: unknown) => error);
  await other.stop();
  expect(other.sent).toEqual([]);
  expect(refusal).toMatchObject({ kind: 'unavailable' });
});

test('a wrong client secret has a different message than a refused token', async () => {
  const driver = open(memoryTokenStore(), { clientSecret: 'wrong' });
  await expect(driver.check()).rejects.toMatchObject({
    kind: 'unauthorized',
    words: expect.stringMatching(/^Token System refuses the client id and secret \(HTTP 401\)/),
  });
});

test('a client that changes its secret continues with the tokens that it has', async () => {
  const tokens = memoryTokenStore();
  await open(tokens).check();
  server.behavior.clientSecret = 'rotated';
  await open(tokens, { clientSecret: 'rotated' }).check();
  expect(server.sent).toEqual(['refresh-0', 'refresh-1']);
});

test('a wrong client secret is noticed while a token is valid, and ends nothing', async () => {
  const tokens = memoryTokenStore();
  await open(tokens).check();
  const words = expect.stringMatching(/^Token System refuses the client id and secret/);
  await expect(open(tokens, { clientSecret: 'wrong' }).check()).rejects.toMatchObject({ kind: 'unauthorized', words });
  await open(tokens).check();
  expect(server.sent).toEqual(['refresh-0']);
});

test.each([
  ['a redirect', 302, 'invalid'],
  ['an address that does not exist', 404, 'invalid'],
  ['a response without a token', 200, 'invalid'],
  ['a request that took too long to arrive', 408, 'unavailable'],
])('%s is not a refusal: and the user need not sign in again', async (_, status, kind) => {
  const driver = open(memoryTokenStore());
  server.behavior.status = status;
  await expect(driver.check()).rejects.toMatchObject({ kind, words: expect.stringContaining(`${status}`) });
  server.behavior.status = undefined;
  await driver.check();
  expect(server.sent).toEqual(['refresh-0']);
});

test('a new refresh token begins a new series, even if the earlier one was replaced', async () => {
  const tokens = memoryTokenStore();
  await open(tokens).check();
  await open(tokens, { refreshToken: 'refresh-1' }).check();
  expect(server.sent).toEqual(['refresh-0', 'refresh-1']);
});

test('received tokens are not lost if the store fails: the session stores them before it uses them', async () => {
  const kept = memoryTokenStore();
  let isFull = true;
  const tokens: TokenStore = {
    renew: (grant, renew) =>
      kept.renew(grant, async (text) => {
        const received = await renew(text);
        if (isFull) throw new Error('The disk is full.');
        return received;
      }),
  };
  const driver = open(tokens);
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unavailable' });
  isFull = false;
  await driver.check();
  expect(server.sent).toEqual(['refresh-0']);
  later(3600);
  await open(kept).check();
  expect(server.sent).toEqual(['refresh-0', 'refresh-1']);
});

test('failures and responses to passthrough do not contain the tokens that were received', async () => {
  const driver = open(memoryTokenStore());
  server.behavior.isClosed = true;
  await expect(driver.check()).rejects.toMatchObject({ words: 'Bearer [hidden] is not valid' });
  const passed = await driver.passthrough?.send?.({ method: 'GET', path: '/units' });
  expect(passed).toMatchObject({ status: 401, body: { message: 'Bearer [hidden] is not valid' } });
  expect(server.calls).toEqual(['Bearer access-1', 'Bearer access-1']);
});

test.each([
  ['a list', [1]],
  ['a text that is not a number', 'soon'],
  ['a negative number', -1],
  ['no number', null],
  ['a number that JSON cannot carry', 1e308],
  ['a text with a number', '3600'],
])('a lifetime that is %s does not make each call renew the token', async (_, seconds) => {
  server.behavior.seconds = seconds;
  const tokens = memoryTokenStore();
  for (let call = 0; call < 3; call += 1) await open(tokens).check();
  expect(server.sent).toEqual(['refresh-0']);
});

test.each([
  ['an access token', { access_token: 'x'.repeat(16_385) }],
  ['a refresh token', { refresh_token: 'x'.repeat(16_385) }],
])('%s that is longer than a header can be is refused', async (_, more) => {
  server.behavior.more = more;
  const words = 'The system issued a token with more than 16384 characters';
  await expect(open(memoryTokenStore()).check()).rejects.toMatchObject({ kind: 'invalid', words });
  expect(server.calls).toEqual([]);
});

test('a response with tokens that is longer than 256 kB is not read', async () => {
  server.behavior.more = { scope: 'x'.repeat(300_000) };
  const words = 'The response is longer than 262144 bytes';
  await expect(open(memoryTokenStore()).check()).rejects.toMatchObject({ kind: 'invalid', words });
});

test('a reason for a refusal that is cut off does not show the beginning of a token', async () => {
  server.revoke();
  server.behavior.reason = `${'p'.repeat(167)}${server.settings.refreshToken}-${server.settings.refreshToken}`;
  const refusal = (await open(memoryTokenStore())
    .check()
    .catch((error: unknown) => error)) as Error;
  expect(refusal.cause).toContain('pppp');
  expect(refusal.cause).not.toContain('refresh');
});
