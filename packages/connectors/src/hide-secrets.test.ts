import { expect, test } from 'vitest';
import type { Driver } from './driver.ts';
import { eventsWithoutSecrets, hidingSecrets } from './hide-secrets.ts';
import { hideSecretsOf } from './known-secrets.ts';
import { SystemError } from './system-error.ts';

const SETTINGS = {
  url: 'postgres://api:p%40ss-word@erp.example/erp',
  token: 'key-4711',
  phrase: 'a "b"/c',
  pin: '12',
  user: 'api-user',
};
const hide = hideSecretsOf({ secrets: ['url', 'token', 'phrase', 'pin'] }, SETTINGS);

test.each([
  ['The key key-4711 is blocked', 'The key [hidden] is blocked'],
  [`${SETTINGS.url} is down`, '[hidden] is down'],
  ['p@ss-word or p%40ss-word', '[hidden] or [hidden]'],
  ['The user api-user has 12 orders', 'The user api-user has 12 orders'],
  ['token=a+%22b%22%2Fc', 'token=[hidden]'],
  ['{"token":"a \\"b\\"/c"}', '{"token":"[hidden]"}'],
  [`Authorization: Basic ${btoa('api-user:key-4711')}`, 'Authorization: Basic [hidden]'],
  [`Authorization: Basic ${btoa('key-4711:')}`, 'Authorization: Basic [hidden]'],
  [`Authorization: Basic ${btoa('api:p@ss-word')}`, 'Authorization: Basic [hidden]'],
])('secrets are hidden, and other settings and short secrets are not: %s', (text, shown) => {
  expect(hide(text)).toBe(shown);
});

/** A driver whose parts fail with the key in all texts. */
class TellingDriver {
  readonly #key = SETTINGS.token;
  readonly settleAfterMs = 7;
  readonly writes = { remove: () => this.check() };
  readonly contents = { read: () => this.#bytes() };

  async check(): Promise<void> {
    const cause = Object.assign(new Error(`query with ${this.#key}`), { detail: `Key (${this.#key})`, code: '23505' });
    throw new SystemError('duplicate', `${this.#key} exists`, { cause, columns: ['code'], retryAfter: 3 });
  }

  read(): never {
    throw new Error(`not ${this.#key}`);
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1]);
    await this.check();
  }
}

async function failureOf(call: () => unknown): Promise<Error> {
  try {
    await call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

test('failures of a driver and of its parts contain no secret, and keep their kinds, codes and columns', async () => {
  const driver = hidingSecrets(new TellingDriver() as unknown as Driver, hide);
  expect(driver.settleAfterMs).toBe(7);
  expect(driver.actions).toBeUndefined();
  const bytes = async () => {
    for await (const piece of driver.contents?.read({} as never, '', { start: 0, end: 1 }) ?? [])
      expect(piece[0]).toBe(1);
  };
  for (const call of [() => driver.check(), () => driver.writes?.remove({} as never, '', {} as never), bytes]) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(SystemError);
    expect(error).toMatchObject({
      ...{
        kind: 'duplicate',
        words: '[hidden] exists',
        clientWords: '[hidden] exists',
        columns: ['code'],
        retryAfter: 3,
      },
      cause: { message: 'query with [hidden]', detail: 'Key ([hidden])', code: '23505' },
    });
    expect([error.stack, (error.cause as Error).stack].join()).not.toContain(SETTINGS.token);
  }
  expect((await failureOf(() => driver.read({} as never, ''))).message).toBe('not [hidden]');
});

test('the error of a broken connection contains no secret', () => {
  const broken: string[] = [];
  const events = eventsWithoutSecrets({ connectionBroke: ({ message }) => broken.push(message) }, hide);
  events.connectionBroke?.(new Error(`lost ${SETTINGS.url}`));
  expect(broken).toEqual(['lost [hidden]']);
});

test('a failure that is its own cause, and texts in lists, contain no secret', async () => {
  const error = new Error('lost', { cause: [`tried ${SETTINGS.token}`] });
  Object.assign(error, { again: error });
  const driver = hidingSecrets({ check: () => Promise.reject(error) } as unknown as Driver, hide);
  expect(await failureOf(() => driver.check())).toMatchObject({ message: 'lost', cause: ['tried [hidden]'] });
});
