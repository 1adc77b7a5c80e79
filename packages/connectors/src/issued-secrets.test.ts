import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { httpServer } from '../test/http-server.ts';
import { ORDERS_V4 } from '../test/odata/descriptions.ts';
import { platformOfTexts } from '../test/platform-of-texts.ts';
import type { Driver } from './driver.ts';
import type { Json } from './json.ts';
import { openDriver } from './platforms.ts';
import type { SystemError } from './system-error.ts';

const TOKEN = 'opaque/token+0123456789abcdef';
const opened: Driver[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((driver) => driver.close()));
});

/** How a driver gets a secret from the system. */
interface Login {
  readonly driver: string;
  readonly options: Readonly<Record<string, Json>>;
  readonly settings: Readonly<Record<string, string>>;
}

const client = { clientId: 'client', clientSecret: 'secret-of-client', tokenUrl: '/token' };
const user = { user: 'person', password: 'secret-of-person' };
const rest = (authentication: Json) => ({
  ...{ authentication, check: '/me' },
  failures: { default: { messages: ['message'] } },
});
const session = { address: '/login', user: 'login', password: 'word' };
const withHeader = { ...session, token: 'token', header: { name: 'X-Session', prefix: 'Session ' } };

const LOGINS = {
  client: { driver: 'rest', options: rest({ clientCredentials: {} }), settings: client },
  session: { driver: 'rest', options: rest({ session: withHeader }), settings: user },
  cookie: { driver: 'rest', options: rest({ session }), settings: user },
  odata: { driver: 'odata', options: {}, settings: client },
  csrf: { driver: 'odata', options: {}, settings: user },
  tryton: { driver: 'tryton', options: {}, settings: { ...user, database: 'erp' } },
} satisfies Readonly<Record<string, Login>>;

/** A driver for a system that issues tokens and repeats those that it receives. */
async function connected({ driver, options, settings }: Login, token = () => TOKEN): Promise<Driver> {
  const url = await echoingSystem(token);
  const given: Record<string, string> = { url, ...settings };
  if (given.tokenUrl) given.tokenUrl = new URL(given.tokenUrl, url).href;
  const names = Object.keys(given);
  const types = names.map((name) => [
    name,
    { type: 'string', writeOnly: /secret|password/i.test(name), ...(/url/i.test(name) && { format: 'uri' }) },
  ]);
  const properties = { ...Object.fromEntries(types), allowPrivateHosts: { type: 'boolean' } };
  const platform = platformOfTexts(
    JSON.stringify({
      ...{ id: 'echo', name: 'Echo', driver, options, identifiedBy: ['url'], passthrough: ['GET', 'POST'] },
      settings: { type: 'object', required: names, properties },
    }),
  );
  const opens = openDriver(platform, { ...given, allowPrivateHosts: true });
  opened.push(opens);
  return opens;
}

/** A system that issues secrets, and repeats all headers that it receives. A client uses its tokens once. */
async function echoingSystem(tokenOf: () => string): Promise<string> {
  const url = await httpServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method } = body.startsWith('{') ? JSON.parse(body) : {};
    const token = tokenOf();
    const issued = { access_token: token, expires_in: 0, token };
    const results: Record<string, Json> = { 'common.db.login': [7, token], 'common.server.version': null };
    if (method !== undefined) response.end(JSON.stringify({ id: JSON.parse(body).id, result: results[method] ?? {} }));
    else if (request.url === '/token') response.end(JSON.stringify(issued));
    else if (request.url === '/login')
      response.setHeader('set-cookie', [`sid=${TOKEN}; Path=/`, 'lang=en']).end(JSON.stringify(issued));
    else if (request.url?.endsWith('$metadata')) response.end(ORDERS_V4);
    else if (request.headers['x-csrf-token'] === 'Fetch') response.setHeader('x-csrf-token', TOKEN).end('{}');
    else if (request.url === '/orders' && request.headers['x-csrf-token'] !== TOKEN)
      response.writeHead(403, { 'x-csrf-token': 'Required' }).end();
    else echo(request, response);
  });
  return url.href;
}

function echo({ url, headers }: IncomingMessage, response: ServerResponse): void {
  const { authorization, cookie, 'x-session': session = cookie } = headers;
  const message = `${'p'.repeat(1980)}${authorization ?? session}`;
  const all = JSON.stringify(headers);
  const content = { message, [all]: all, encoded: encodeURIComponent(all), decoded: decodedCredentials(authorization) };
  const status = url === '/refused' ? 400 : 200;
  response.writeHead(status, { 'content-type': 'application/json', 'x-repeated': message });
  response.end(JSON.stringify(content));
}

/** The text of credentials in base64. */
function decodedCredentials(authorization = ''): string {
  return Buffer.from(authorization.split(' ').at(-1) ?? '', 'base64').toString();
}

test.each([
  ['the token of a client (REST)', LOGINS.client, 'GET', '/echo'],
  ['the token of a session (REST)', LOGINS.session, 'GET', '/echo'],
  ['the cookie of a session (REST)', LOGINS.cookie, 'GET', '/echo'],
  ['the token of a client (OData)', LOGINS.odata, 'GET', '/echo'],
  ['the token against forged requests (OData)', LOGINS.csrf, 'POST', '/orders'],
  ['the session (Tryton)', LOGINS.tryton, 'GET', '/echo'],
] as const)('%s is hidden in responses to passthrough', async (_, login, method, path) => {
  const driver = await connected(login);
  const shown = JSON.stringify(await driver.passthrough?.send?.({ method, path }));
  expect(shown).toContain('[hidden]');
  // The header that is cut off contains less than the whole token.
  expect(shown).not.toContain(TOKEN.slice(0, 6));
  expect(shown).not.toContain(encodeURIComponent(TOKEN));
});

test('a token against forged requests stays hidden, however many tokens its client requests', async () => {
  let issued = 0;
  const driver = await connected(LOGINS.odata, () => `${issued++}-${'x'.repeat(8000)}`);
  for (let call = 0; call < 20; call += 1) {
    const shown = JSON.stringify(await driver.passthrough?.send?.({ method: 'POST', path: '/orders' }));
    expect(shown).toContain('"x-csrf-token');
    expect(shown).not.toContain(TOKEN.slice(0, 6));
  }
});

test('a message that is cut off within an issued secret does not show its beginning', async () => {
  const driver = await connected({ ...LOGINS.client, options: { ...LOGINS.client.options, check: '/refused' } });
  const refused = (await driver.check().catch((error: unknown) => error)) as SystemError;
  expect(refused.words).toContain('ppp');
  expect(`${refused.words} ${refused.clientWords} ${refused.stack}`).not.toContain(TOKEN.slice(0, 6));
});

test.each([
  ['the token of a client', LOGINS.client],
  ['the token of a session', LOGINS.session],
  ['the session of Tryton', LOGINS.tryton],
])('%s is refused if it is longer than a header can be', async (_, login) => {
  const driver = await connected(login, () => 'x'.repeat(16_385));
  const words = 'The system issued a token with more than 16384 characters';
  await expect(driver.check()).rejects.toMatchObject({ kind: 'invalid', words });
});
