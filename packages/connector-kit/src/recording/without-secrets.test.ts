import { type Platform, platformOf } from '@unified/connectors';
import { expect, test } from 'vitest';
import { proxiedAddresses } from './addresses.ts';
import { secretsLeftIn, secretsOf, withoutSecrets } from './without-secrets.ts';

const platform: Platform = { ...platformOf('request-tracker'), secrets: ['password'] };
const settings = { url: 'https://erp.example.com/api', user: 'reader', password: 'hunter2' };

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly response?: string;
  readonly received?: Record<string, string | string[]>;
}

/** The exchanges as they are stored. */
function stored(...exchanges: readonly Sent[]) {
  const received = exchanges.map(({ path = '/api/rows', headers = {}, body = '', response = '{}', received = {} }) => ({
    request: { method: 'POST', path, headers, body: Buffer.from(body) },
    response: { status: 200, headers: received, body: Buffer.from(response) },
  }));
  const addresses = proxiedAddresses(platform, settings, 'http://127.0.0.1:4321');
  const secrets = secretsOf(platform, settings, addresses, received);
  return received.map((exchange) => withoutSecrets(exchange, secrets, platform));
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('credentials in headers are not stored; requests with wrong ones are', () => {
  const [none, right, wrong] = stored(
    {},
    { headers: { authorization: basic('reader:hunter2'), accept: 'application/json' } },
    { headers: { authorization: basic('reader:iunter3') } },
  );
  expect(none?.request.access).toBe('none');
  expect(right?.request).toMatchObject({ access: 'granted', headers: { accept: 'application/json' } });
  expect(wrong?.request).toMatchObject({ access: 'refused', headers: {} });
});

test.each([
  { name: 'a query', sent: { path: '/api/rows?password=hunter2&from=hunter2s' }, place: 'path' },
  { name: 'a form', sent: { body: 'user=reader&password=hunter2' }, place: 'body' },
  { name: 'JSON', sent: { body: '{"text": "line\\nhunter2", "hunter2": 1}' }, place: 'body' },
] as const)('the password is replaced in $name', ({ sent, place }) => {
  const [exchange] = stored(sent);
  const text = exchange?.request[place] ?? '';
  expect(text.replaceAll('hunter2s', '').replaceAll('"hunter2":', '')).not.toContain('hunter2');
  expect(text).toContain('removed-1-secret');
});

test('a token that the system issues is the same one in the calls after it', () => {
  const [login, call] = stored(
    { response: '{"result": [1, "4f1d0c4e9b"]}' },
    { headers: { authorization: `Session ${Buffer.from('reader:1:4f1d0c4e9b').toString('base64')}` } },
  );
  expect(login?.response.body).toBe('{"result": [1, "removed-2-secret"]}');
  expect(call?.request.access).toBe('granted');
});

test('cookies and properties with the names of secrets are replaced, positions in lists are not', () => {
  const [login] = stored({
    response: '{"access_token": "abcdef123", "nextPageToken": "S-000123", "name": "S-000123", "apiKey": null}',
    received: { 'set-cookie': ['sid=cookie-value; Path=/'], server: 'erp-17' },
  });
  expect(login?.response.body).toMatch(
    /^\{"access_token": "removed-\d-secret", "nextPageToken": "S-000123", "name": "S-000123", "apiKey": null\}$/,
  );
  expect(login?.response.headers).toEqual({
    'set-cookie': [expect.stringMatching(/^sid=removed-\d-secret; Path=\/$/)],
  });
});

test('the address of the system is replaced, in links as well', () => {
  const [page] = stored({
    response:
      '{"next": "https:\\/\\/erp.example.com\\/api\\/rows?page=2", "host": "erp.example.com", "n": 12345678901234567890}',
    received: { link: '<https://erp.example.com/api/rows?page=2>; rel="next"' },
  });
  expect(page?.response).toMatchObject({
    body: '{"next": "http:\\/\\/recorded.invalid\\/api\\/rows?page=2", "host": "recorded.invalid", "n": 12345678901234567890}',
    headers: { link: '<http://recorded.invalid/api/rows?page=2>; rel="next"' },
  });
});

test('a text that only begins like JSON, an address in a response and bytes in another encoding lose their secrets', () => {
  const [exchange, redirect] = stored(
    { response: '[error] login of reader with hunter2 failed' },
    {
      response: '<a href="https://files.example/f?x=1&amp;access_token=abcdef123">abcdef123</a>',
      received: { location: 'https://files.example/f?X-Amz-Signature=fedcba987' },
    },
  );
  expect(exchange?.response.body).toBe('[error] login of reader with removed-1-secret failed');
  expect(redirect?.response.body).not.toContain('abcdef123');
  expect(redirect?.response.headers.location).not.toContain('fedcba987');
  const secrets = secretsOf(platform, settings, [], []);
  const response = { status: 200, headers: {}, body: Buffer.from('<ä p="hunter2"/>', 'latin1') };
  const request = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) };
  const { body } = withoutSecrets({ request, response }, secrets, platform).response;
  expect(Buffer.from(body, 'base64').toString('latin1')).toBe('<ä p="removed-1-secret"/>');
});

test('secret settings that a recording still contains are found', () => {
  const long = { ...settings, password: 'correct horse' };
  const secrets = secretsOf(platform, long, [], []);
  const recordingOf = (body: string) => {
    const response = { status: 200, headers: {}, body: Buffer.from(body) };
    const request = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) };
    const exchanges = [withoutSecrets({ request, response }, secrets, platform)];
    return { platform: platform.id, recordedOn: '2026-11-26', rows: 1, settings: {}, exchanges };
  };
  expect(secretsLeftIn(recordingOf('{"text": "correct horse"}'), secrets)).toEqual([]);
  expect(secretsLeftIn(recordingOf('{"correct horse": 1}'), secrets)).toEqual(['password']);
});

test('bytes that are not text are kept', () => {
  const response = { status: 200, headers: {}, body: Buffer.from([0xff, 0xd8, 0x00]) };
  const request = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) };
  const secrets = secretsOf(platform, settings, [], []);
  expect(withoutSecrets({ request, response }, secrets, platform).response).toMatchObject({
    ...{ body: '/9gA', encoding: 'base64' },
  });
});
