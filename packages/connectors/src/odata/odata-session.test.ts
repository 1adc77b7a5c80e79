import { afterEach, describe, expect, test, vi } from 'vitest';
import { httpServer, rawServer } from '../../test/http-server.ts';
import { ORDERS_V4 } from '../../test/odata/descriptions.ts';
import { driverFor, streamOf } from '../../test/odata/odata-platform.ts';
import { orderOf, startOrderService } from '../../test/odata/order-service.ts';
import type { ODataDriver } from './open-odata.ts';

const read = (driver: ODataDriver) => driver.pull({ stream: streamOf('Orders'), from: null, limit: 10 });

/** A driver for a service whose list responds like this. */
async function listing(status: number, headers: Record<string, string>, body: string): Promise<ODataDriver> {
  const service = await startOrderService([], {
    before: ({ path }, response) => {
      if (!path.endsWith('/Orders')) return false;
      response.writeHead(status, headers).end(body);
      return true;
    },
  });
  return driverFor(service.url);
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const error = (content: object) => JSON.stringify({ error: content });

describe('a failure is reported as', () => {
  test.each([
    [
      'a refusal with its message (V4)',
      400,
      json,
      error({ message: 'Bad', details: [{ message: 'Worse', target: 'to/Name' }] }),
      { kind: 'rejected', words: 'Bad; Worse', columns: ['Name'] },
    ],
    [
      'a refusal with its message (V2)',
      400,
      json,
      error({
        message: { lang: 'en', value: 'Bad' },
        innererror: {
          errordetails: [
            { message: 'Bad', severity: 'error', propertyref: 'Name' },
            { message: 'Note', severity: 'info' },
          ],
        },
      }),
      { kind: 'rejected', words: 'Bad', columns: ['Name'] },
    ],
    [
      'a refusal with its message (XML)',
      400,
      { 'content-type': 'application/xml' },
      '<error><code>1</code><message xml:lang="en">A &lt; B</message></error>',
      { kind: 'rejected', words: 'A < B' },
    ],
    [
      'a refusal without the page from a proxy',
      400,
      html,
      '<h1>internal host</h1>',
      { kind: 'rejected', words: 'The service returned HTTP status 400' },
    ],
    ['an authentication error', 401, json, '', { kind: 'unauthorized' }],
    ['an authentication error, for a page to sign in', 200, html, '<html><form>', { kind: 'unauthorized' }],
    [
      'an authentication error, for a page without a type',
      200,
      {},
      '<!DOCTYPE html><html><input type="password">',
      { kind: 'unauthorized' },
    ],
    ['an unavailable system, for any other page', 200, html, '<title>Maintenance</title>', { kind: 'unavailable' }],
    [
      'an authentication error, for a redirect to a page',
      302,
      { location: 'https://login.example' },
      '',
      { kind: 'unauthorized' },
    ],
    ['a wrong address', 301, { location: '/other' }, '', { kind: 'invalid' }],
    [
      'a missing right',
      403,
      json,
      error({ message: 'No authorization' }),
      { kind: 'forbidden', words: 'No authorization' },
    ],
    ['too many calls', 429, { 'retry-after': '7' }, '', { kind: 'throttled', retryAfter: 7 }],
    ['too many calls, with the message', 429, json, error({ message: 'Daily limit' }), { words: 'Daily limit' }],
    ['a limit of calls', 403, { 'retry-after': '7' }, '', { kind: 'throttled', retryAfter: 7 }],
    ['a proxy that does not know the service', 404, {}, '<html>', { kind: 'invalid' }],
    ['a request that arrived too slowly', 408, {}, '', { kind: 'unavailable' }],
    ['a request that arrived too early', 425, {}, '', { kind: 'unavailable' }],
    ['maintenance', 503, { 'retry-after': '120' }, '', { kind: 'unavailable', retryAfter: 120 }],
    ['an error from the server', 500, json, error({ message: 'Dump' }), { kind: 'unavailable', words: 'Dump' }],
    ['an unusable response', 200, json, '{"value":[{"numb', { kind: 'invalid' }],
    ['no list', 200, json, '{"value":{}}', { kind: 'invalid' }],
    ['an entity without its key', 200, json, '{"value":[{"status":"open"}]}', { kind: 'invalid' }],
  ])('%s', async (_, status, headers, body, expected) => {
    await expect(read(await listing(status, headers as Record<string, string>, body))).rejects.toMatchObject(expected);
  });

  test('unavailable, if the connection breaks within a response', async () => {
    const url = await rawServer((socket, heard) => {
      if (!heard.includes('\r\n\r\n')) return;
      if (heard.includes('$metadata'))
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${ORDERS_V4.length}\r\n\r\n${ORDERS_V4.subarray(0, 500)}`);
      else socket.destroy();
    });
    await expect(read(driverFor(url.href))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test('a message in a response with many unfinished tags takes no time to find', async () => {
  // Searching all of it would take minutes, and exceed the time limit of the test.
  const body = `<error>${'<message '.repeat(1_000_000)}`;
  const driver = await listing(400, { 'content-type': 'application/xml' }, body);
  await expect(read(driver)).rejects.toMatchObject({ words: 'The service returned HTTP status 400' });
});

test('the description is requested again after it failed', async () => {
  let fails = true;
  const service = await startOrderService([orderOf('1')], {
    before: (_request, response) => {
      if (fails) response.writeHead(503).end();
      return fails;
    },
  });
  const driver = driverFor(service.url);
  await expect(read(driver)).rejects.toMatchObject({ kind: 'unavailable' });
  fails = false;
  expect((await read(driver)).rows).toHaveLength(1);
});

describe('credentials', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  /** A service whose token address returns this response. */
  const issuing = (status: number, body: object) =>
    startOrderService([], {
      before: ({ path }, response) => {
        if (path === '/token') response.writeHead(status).end(JSON.stringify(body));
        return path === '/token';
      },
    });
  const client = (url: string) => ({ tokenUrl: new URL('/token', url).href, clientId: 'id', clientSecret: 's' });

  test('of a user are sent with every request, and not again for a minute once they are refused', async () => {
    const service = await startOrderService([orderOf('1')], {
      before: ({ headers }, response) => {
        const isGood = headers.authorization === `Basic ${Buffer.from('ü:p:w').toString('base64')}`;
        if (!isGood) response.writeHead(401).end();
        return !isGood;
      },
    });
    expect((await read(driverFor(service.url, { user: 'ü', password: 'p:w' }))).rows).toHaveLength(1);
    const wrong = driverFor(service.url, { user: 'ü', password: 'wrong' });
    const before = service.received.length;
    await expect(read(wrong)).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(read(wrong)).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(service.received.length).toBe(before + 1);
  });

  test('of an application get one token for concurrent requests, and another when it is refused', async () => {
    const forms: string[] = [];
    let valid = 't-1';
    const service = await startOrderService([orderOf('1')], {
      before: ({ path, headers, body }, response) => {
        if (path === '/token') {
          forms.push(`${headers.authorization} ${body}`);
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ access_token: `t-${forms.length}`, token_type: 'Bearer', expires_in: 3600 }));
          return true;
        }
        const isGood = headers.authorization === `Bearer ${valid}`;
        if (!isGood) response.writeHead(401).end();
        return !isGood;
      },
    });
    const driver = driverFor(service.url, {
      tokenUrl: new URL('/token', service.url).href,
      clientId: 'id',
      clientSecret: 's',
      scope: 'api',
    });
    await Promise.all([read(driver), read(driver), read(driver)]);
    const basic = `Basic ${Buffer.from('id:s').toString('base64')}`;
    expect(forms).toEqual([`${basic} grant_type=client_credentials&scope=api`]);
    valid = 't-2';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await Promise.all([read(driver), read(driver), read(driver)]);
    expect(forms).toHaveLength(2);
  });

  test('of an application can be sent in the form, for systems that do not decode those in the header', async () => {
    const service = await issuing(200, { access_token: 't', token_type: 'Bearer', expires_in: 3600 });
    const given = { ...client(service.url), clientSecret: 's+/%' };
    await read(driverFor(service.url, given, { clientCredentials: { sentIn: 'form' } }));
    const [{ headers, body } = { headers: {}, body: '' }] = service.received;
    expect(headers).not.toHaveProperty('authorization');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      ...{ grant_type: 'client_credentials', client_id: 'id', client_secret: 's+/%' },
    });
  });

  test('of an application that are refused are an authentication error', async () => {
    const body = { error: 'invalid_client', error_description: 'Unknown', access_token: 'secret' };
    const service = await issuing(400, body);
    await expect(read(driverFor(service.url, client(service.url)))).rejects.toMatchObject({
      kind: 'unauthorized',
      cause: 'invalid_client: Unknown',
    });
    expect(service.received.map(({ path }) => path)).toEqual(['/token']);
  });

  test('of an application: a response with a token is never a cause, which is logged', async () => {
    const service = await issuing(201, { access_token: 'secret', error: 'secret' });
    const failure = await read(driverFor(service.url, client(service.url))).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'invalid',
      words: expect.stringContaining('HTTP status 201 without a token'),
    });
    expect(failure).not.toHaveProperty('cause', expect.anything());
    expect(String(failure)).not.toContain('secret');
  });

  test('of an application are not sent to a private host other than that of the service', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    let called = 0;
    const other = await httpServer((_request, response) => {
      called += 1;
      response.end('{"access_token":"t"}');
    });
    const service = await startOrderService([orderOf('1')]);
    await expect(read(driverFor(service.url, client(other.href)))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(called).toBe(0);
  });

  test.each([
    [{ user: 'u', password: 'p' }, 'Check the settings "user" and "password"'],
    [{ token: 't' }, 'Check the setting "token"'],
    [{}, 'Check the settings, which contain no "user", "token" or "tokenUrl"'],
  ])('%j that are refused are named in the message', async (settings, words) => {
    const failing = (status: number, headers: object, body = '') =>
      startOrderService([], {
        before: (_request, response) => {
          response.writeHead(status, { ...headers }).end(body);
          return true;
        },
      });
    for (const service of [failing(401, {}), failing(302, {}), failing(200, html, '<form>')]) {
      const driver = driverFor((await service).url, settings);
      await expect(read(driver)).rejects.toMatchObject({ kind: 'unauthorized', words: expect.stringContaining(words) });
    }
  });

  test('are checked where the description needs none', async () => {
    const service = await startOrderService([], {
      before: ({ path }, response) => {
        const isPublic = path.endsWith('$metadata');
        if (!isPublic) response.writeHead(401).end();
        return !isPublic;
      },
    });
    await expect(driverFor(service.url).check()).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(driverFor((await startOrderService([])).url).check()).resolves.toBeUndefined();
  });
});

test('the client of an SAP system is sent with every request', async () => {
  const service = await startOrderService([]);
  await read(driverFor(service.url, { client: '100' }));
  expect(service.received.map(({ headers }) => headers['sap-client'])).toEqual(['100', '100']);
});
