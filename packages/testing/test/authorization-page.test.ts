import { hash, randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { allSystems } from '@unified/engine';
import { addRedirectUri, createApplication, pageOfAudit, replaceSettings, setClientSetting } from '@unified/store';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PageBrowser, type ShownPage, sessionOf, tokenIn } from './page-browser.ts';
import { startPageServer } from './page-server.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const REDIRECT = 'https://portal.northwind.example/callback?tenant=7';
const AT = '/oauth/authorize';

let server: Awaited<ReturnType<typeof startPageServer>>;
let api: TestApi;
let system: { readonly url: string };
let application: TestApplication;

beforeAll(async () => {
  server = await startPageServer(REDIRECT);
  ({ api, system } = server);
  application = await newApplication();
});
afterAll(() => server.stop());

const newApplication = () => server.newApplication();

type Query = Readonly<Record<string, string | undefined>>;

function request(query: Query = {}, { clientId } = application): string {
  const all = { client_id: clientId, redirect_uri: REDIRECT, response_type: 'code', state: 'state 1', ...query };
  const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
  return `${AT}?${new URLSearchParams(sent)}`;
}

/** The parameters of a redirect to the application. */
function returned({ location }: ShownPage): Record<string, string> {
  expect(location.startsWith(`${REDIRECT}&`)).toBe(true);
  const { tenant: _, ...parameters } = Object.fromEntries(new URL(location).searchParams);
  return parameters;
}

const begin = async (query: Query = {}, browser = new PageBrowser(api.baseUrl)) => {
  const page = await browser.open(request(query));
  return { browser, page, session: sessionOf(page), form: { token: tokenIn(page) } };
};
type Begun = Awaited<ReturnType<typeof begin>>;

/** The page after the check of a system has ended. */
async function checked({ browser, session }: Begun): Promise<ShownPage> {
  return vi.waitFor(
    async () => {
      const page = await browser.open(session);
      if (page.text.includes('data-changing')) throw new Error('the check has not ended');
      return page;
    },
    { timeout: 100_000, interval: 200 },
  );
}

/** Enters the settings of the sandbox company, or other settings. */
async function signIn(begun: Begun, fields: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
  await begun.browser.submit(`${begun.session}/platform`, { ...begun.form, platform: 'sandbox' });
  await begun.browser.enter(begun.session, begun.form, { url: system.url, schema: 'erp', ...fields });
  return checked(begun);
}

const allow = ({ browser, session, form }: Begun, fields = {}) =>
  browser.submit(`${session}/allow`, { ...form, ...fields });

/** Exchanges the code of a redirect. */
async function exchange(code: string, more: Readonly<Record<string, string>> = {}, by = application) {
  const { clientId: client_id, clientSecret: client_secret } = by;
  const json = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id, client_secret, ...more };
  return api.fetch<{ access_token: string; error: string }>('/oauth/token', { method: 'POST', token: null, json });
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(api.url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the authorization of an end user', () => {
  it('connects a system that was checked, and returns a code that is exchanged for a token', async () => {
    const verifier = randomBytes(40).toString('base64url');
    const challenge = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' };
    const begun = await begin(challenge);
    expect(begun.page.text).toContain('Which system do you use?');
    const accepted = await signIn(begun);
    expect(accepted.text).toContain('Allow Northwind to use Sandbox company?');
    expect(accepted.text).toContain('First records of your system');
    expect(accepted.text).toMatch(/Purchase Orders/);
    const answer = returned(await allow(begun));
    expect(answer).toEqual({ code: expect.stringMatching(/^sac_/), state: 'state 1', iss: api.store.publicUrl });
    expect((await exchange(answer.code ?? '')).body.error).toBe('invalid_grant');
    const again = await begin(challenge);
    await signIn(again);
    const second = returned(await allow(again, { connectAgain: 'yes' }));
    const { body } = await exchange(second.code ?? '', { code_verifier: verifier });
    expect((await api.fetch('/v4/vendors', { token: body.access_token })).status).toBe(200);
  });

  it('shows the refusal of the system, and can be corrected without entering everything again', async () => {
    const begun = await begin();
    const wrong = new URL(system.url);
    wrong.password = 'canary-of-a-password';
    const refused = await signIn(begun, { url: wrong.href });
    expect(refused.text).toContain('The system refuses the user name or the password');
    expect(refused.text).toMatch(/<blockquote>.*password authentication failed.*<\/blockquote>/);
    const form = await begun.browser.submit(`${begun.session}/edit`, begun.form);
    expect(form.text).toContain('value="erp"');
    expect(form.text).not.toContain('canary-of-a-password');
    expect((await signIn(begun)).text).toContain('First records');
  });

  it('refuses an address in a private network, without revealing what it resolves to', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    // A name that does not exist has the same result, so that host names in the network cannot be guessed.
    for (const host of ['localhost', 'unknown.invalid']) {
      const refused = await signIn(await begin(), { url: `postgres://u:p@${host}:5432/erp` });
      expect(refused.text).toContain('No public host has this address');
      expect(refused.text).not.toMatch(/127\.0\.0\.1|ALLOW_PRIVATE_HOSTS|ENOTFOUND|EAI_AGAIN/);
    }
  });

  it('reports a schema that does not exist once, not for each table', async () => {
    const refused = await signIn(await begin(), { schema: 'nowhere' });
    expect(refused.text).toMatch(/could not be connected/);
    expect(refused.text).toContain('There is no schema');
    expect(refused.text).not.toContain('<code>waehrung</code>');
  });

  it('reports each table that cannot be read', async () => {
    const client = new pg.Client({ connectionString: system.url });
    await client.connect();
    await client.query('create schema branch; create table branch.note (id int)');
    onTestFinished(async () => {
      await client.query('drop schema branch cascade');
      await client.end();
    });
    const refused = await signIn(await begin(), { schema: 'branch' });
    expect(refused.text).toMatch(/could not be connected/);
    expect(refused.text).toMatch(/\d+ tables cannot be read/);
    expect(refused.text).toContain('<code>waehrung</code>');
    expect(refused.text).not.toContain('Allow Northwind');
  });

  it('reports a refusal as such, however long ago it was', async () => {
    const begun = await begin();
    await signIn(begun, { schema: 'nowhere' });
    const id = begun.session.split('/').at(-1);
    await rows(`update unified.authorization_sessions set "progressAt" = now() - interval '1 hour' where id = '${id}'`);
    expect((await begun.browser.open(`${begun.session}/progress`)).text).toContain('<li class="failed">');
    expect((await begun.browser.open(begun.session)).text).not.toContain('was interrupted');
  });

  it('reports immediately that an error of this service interrupted a check', async () => {
    await rows(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refusing before update of progress on unified.authorization_sessions for each row
        when (old.progress is not null and new.progress is not null) execute function refuse()`);
    onTestFinished(async () => void (await rows('drop function refuse() cascade')));
    const begun = await begin();
    expect((await signIn(begun)).text).toContain('The test was interrupted. Start it again.');
  });

  it('reports wrong settings without calling the system, and keeps those that are not secret', async () => {
    const begun = await begin({ platform: 'sandbox' });
    const page = await begun.browser.enter(begun.session, begun.form, { url: 'not-an-address', schema: 'x' });
    expect(page.status).toBe(422);
    expect(page.text).toContain('aria-invalid="true"');
    expect(page.text).toContain('value="x"');
    expect(page.text).not.toContain('not-an-address');
  });

  it('connects a system with a setting that is named like a field of the page', async () => {
    const keys: unknown[] = [];
    const redmine = createHttpServer((call, response) => {
      keys.push(call.headers['x-redmine-api-key']);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => redmine.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void redmine.close());
    const begun = await begin({ platform: 'redmine' });
    expect(begun.page.text).toMatch(/<input type="password"[^>]* name="settings\.token"/);
    const url = `http://127.0.0.1:${(redmine.address() as AddressInfo).port}`;
    const entered = await begun.browser.enter(begun.session, begun.form, { url, token: 'a-refused-key' });
    expect(entered.status).toBe(200);
    expect((await checked(begun)).text).toContain('refuses');
    expect(new Set(keys)).toEqual(new Set(['a-refused-key']));
  });

  it.each([
    ...['sslrootcert=/etc/passwd', 'sslkey=/etc/passwd', 'SSLCERT=x', 'host=10.0.0.5', 'port=1', 'query_timeout=0'],
    ...['user=postgres', 'options=-c%20role=x', 'sslmode=disable&host=10.0.0.5'],
  ])('refuses parameters that only operators may use: %s', async (parameter) => {
    const begun = await begin({ platform: 'sandbox' });
    const url = `${system.url}?${parameter}`;
    expect((await begun.browser.enter(begun.session, begun.form, { url })).status).toBe(422);
  });

  it('asks before an application connects the same system again', async () => {
    const own = await newApplication();
    const connect = async () => {
      const browser = new PageBrowser(api.baseUrl);
      const page = await browser.open(request({}, own));
      const begun = { browser, page, session: sessionOf(page), form: { token: tokenIn(page) } };
      return { begun, checked: await signIn(begun) };
    };
    const first = await connect();
    expect(first.checked.text).not.toContain('name="connectAgain"');
    await exchange(returned(await allow(first.begun)).code ?? '', {}, own);
    const second = await connect();
    expect(second.checked.text).toContain('name="connectAgain"');
    expect((await allow(second.begun)).status).toBe(422);
    await exchange(returned(await allow(second.begun, { connectAgain: 'yes' })).code ?? '', {}, own);
    const { body } = await api.fetch<{ data: { name: string }[] }>('/v4/connections', { token: own.token });
    expect(body.data.map(({ name }) => name)).toEqual(['Sandbox company', 'Sandbox company 2']);
  });

  it('renews the access to a connection, which keeps its id; another system is refused', async () => {
    const own = await newApplication();
    const settings = { url: system.url, schema: 'erp' };
    const { body } = await api.fetch<{ data: { id: string } }>('/v4/connections', {
      ...{ method: 'POST', token: own.token, json: { platform: 'sandbox', settings } },
    });
    const browser = new PageBrowser(api.baseUrl);
    const page = await browser.open(request({ connection: body.data.id }, own));
    const begun = { browser, page, session: sessionOf(page), form: { token: tokenIn(page) } };
    expect(page.text).toContain('must be renewed');
    const other = await browser.enter(begun.session, begun.form, { url: system.url, schema: 'other' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('This is a different system')]);
    for (const parameter of ['host=other.example', 'port=1']) {
      const sent = { url: `${system.url}?${parameter}`, schema: 'erp' };
      expect((await browser.enter(begun.session, begun.form, sent)).status).toBe(422);
    }
    await browser.enter(begun.session, begun.form, { ...settings });
    await checked(begun);
    const { code = '' } = returned(await allow(begun));
    const token = (await exchange(code, {}, own)).body.access_token;
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub).toBe(body.data.id);
    const [renewed, made] = await pageOfAudit(api.store.application(own.applicationId), { limit: 2 });
    expect(made).toMatchObject({ action: 'connection.create', actorType: 'application' });
    expect(renewed).toMatchObject({
      ...{ action: 'connection.renew', actorType: 'end_user', actor: own.clientId, target: body.data.id },
      ...{ address: '127.0.0.1', requestId: expect.any(String), after: { changedSecrets: [] } },
    });
  });

  it.each(['no password', 'no user'])('refuses the address of a database with %s', async (name) => {
    const begun = await begin({ platform: 'sandbox' });
    const url = new URL(system.url);
    url.password = '';
    if (name === 'no user') url.username = '';
    const sent = { url: url.href };
    expect((await begun.browser.enter(begun.session, begun.form, sent)).status).toBe(422);
  });

  it('offers only platforms of the operator; connections to others can be renewed', async () => {
    const limited = await startApi({ systems: { ...allSystems, isOffered: (id) => id !== 'sandbox' } });
    onTestFinished(() => limited.stop());
    const { id: applicationId } = await createApplication(limited.store, 'Northwind');
    await addRedirectUri(limited.store.application(applicationId), applicationId, REDIRECT);
    const own = await limited.signIn(applicationId);
    const settings = { url: system.url, schema: 'erp' };
    const { connectionId } = await limited.connect({ applicationId, platform: 'sandbox', settings });
    const open = (query: Query) => new PageBrowser(limited.baseUrl).open(request(query, own));
    expect((await open({})).text).not.toContain('value="sandbox"');
    expect((await open({ connection: connectionId })).text).toContain('Sign in to Sandbox company');
    expect(returned(await open({ platform: 'sandbox' })).error).toBe('invalid_request');
    const listed = await limited.fetch<{ data: { id: string }[] }>('/v4/platforms', { token: own.token });
    expect(listed.body.data.map(({ id }) => id)).not.toContain('sandbox');
    const json = { platform: 'sandbox', settings };
    expect((await limited.fetch('/v4/connections', { method: 'POST', token: own.token, json })).status).toBe(400);
  });

  it('can be cancelled', async () => {
    const { browser, session, form } = await begin();
    const answer = returned(await browser.submit(`${session}/cancel`, form));
    expect(answer).toMatchObject({ error: 'access_denied', state: 'state 1', iss: api.store.publicUrl });
    expect((await browser.open(session)).status).toBe(410);
  });

  it('speaks the language of the link, of the browser, or the one that was chosen', async () => {
    const title = async (query: Query, accepted: string) => {
      const browser = new PageBrowser(api.baseUrl);
      browser.headers['accept-language'] = accepted;
      return (await browser.open(request(query))).text.match(/<html lang="(\w+)">/)?.[1];
    };
    expect(await title({}, 'fr, de-CH;q=0.8, en;q=0.5')).toBe('de');
    expect(await title({ locale: 'en-GB' }, 'de')).toBe('en');
    const begun = await begin();
    const german = await begun.browser.submit(`${begun.session}/language`, { ...begun.form, language: 'de' });
    expect(german.text).toContain('Welches System verwenden Sie?');
  });

  it.each([
    ['sandbox', 'Adresse der Datenbank mit Benutzer und Kennwort.'],
    ['tryton', 'Adresse des Servers, ohne den Namen der Datenbank.'],
  ])('describes the settings of %s in German', async (platform, text) => {
    const browser = new PageBrowser(api.baseUrl);
    expect((await browser.open(request({ platform, locale: 'de' }))).text).toContain(text);
  });

  it('has the appearance of the client, in readable colors', async () => {
    const own = await newApplication();
    const value = {
      productName: 'Portal <b>',
      logoUrl: null,
      primaryColor: '#ffee00',
      supportUrl: 'https://help.example/',
      termsUrl: null,
    };
    await setClientSetting(api.store.application(own.applicationId), own.clientId, { name: 'whitelabel', value });
    const page = await new PageBrowser(api.baseUrl).open(request({}, own));
    expect(page.text).toContain('Portal &lt;b&gt;');
    expect(page.text).toContain('href="https://help.example/"');
    const [color = ''] = page.text.match(/\/[\w/]+\/color\.css\?is=ffee00/) ?? [];
    const { text } = await new PageBrowser(api.baseUrl).send(color);
    expect(text).toMatch(/^:root\{--accent:#(?!ffee00)\w{6};--on-accent:#ffffff\}/);
  });
});

describe('what an end user has allowed', () => {
  /** An end user of a separate application who has allowed a new or a renewed connection. */
  async function allowed(query: Query = {}, own?: TestApplication) {
    const by = own ?? (await newApplication());
    const browser = new PageBrowser(api.baseUrl);
    const page = await browser.open(request({ platform: 'sandbox', ...query }, by));
    const begun = { browser, page, session: sessionOf(page), form: { token: tokenIn(page) } };
    await browser.enter(begun.session, begun.form, { url: system.url, schema: 'erp' });
    await checked(begun);
    return { by, end: await allow(begun, { connectAgain: 'yes' }) };
  }

  const codeOf = (end: ShownPage) => returned(end).code ?? '';

  async function connectionsOf({ token }: TestApplication) {
    type Found = { id: string; name: string; settings: Record<string, unknown>; updatedAt: string };
    return (await api.fetch<{ data: Found[] }>('/v4/connections', { token })).body.data;
  }

  /** A connection to the system that an operator has made. */
  async function connected(by: TestApplication, more: Readonly<Record<string, unknown>> = {}) {
    const settings = { url: system.url, schema: 'erp', ...more };
    return api.connect({ applicationId: by.applicationId, platform: 'sandbox', settings });
  }

  /** Stores the use of codes that have created connections. */
  async function useCodes({ clientId }: TestApplication, count: number) {
    await rows(`insert into unified.authorization_codes (hash, "clientId", "redirectUri", "expiresAt", "usedAt", "isConnectionNew")
      select '${clientId} ' || n, '${clientId}', '', now(), now() - interval '30 minutes', true from generate_series(1, ${count}) n`);
  }

  it('is stored when the code is redeemed, and not if the application rejects the response', async () => {
    const { by, end } = await allowed();
    const code = codeOf(end);
    expect(await connectionsOf(by)).toEqual([]);
    const stored = await rows(`select * from unified.authorization_codes where "clientId" = '${by.clientId}'`);
    expect(stored).toMatchObject([{ connectionId: null, pending: expect.stringMatching(/^v1\./) }]);
    expect(JSON.stringify(stored)).not.toContain('postgres://');
    expect((await exchange(code, { redirect_uri: 'https://other.example/' }, by)).body.error).toBe('invalid_grant');
    expect((await exchange(code, { code_verifier: 'x'.repeat(43) }, by)).body.error).toBe('invalid_grant');
    expect(await connectionsOf(by)).toEqual([]);
    expect((await exchange(code, {}, by)).status).toBe(200);
    expect(await connectionsOf(by)).toMatchObject([{ name: 'Sandbox company' }]);
    const used = await rows(`select pending from unified.authorization_codes where "clientId" = '${by.clientId}'`);
    expect(used).toEqual([{ pending: null }]);
    expect((await exchange(code, {}, by)).body.error).toBe('invalid_grant');
    expect(await connectionsOf(by)).toHaveLength(1);
  });

  it('replaces the settings of a renewed connection when the code is redeemed', async () => {
    const own = await newApplication();
    const { connectionId } = await connected(own, { url: `${system.url}?sslmode=disable` });
    const [before] = await connectionsOf(own);
    const { end } = await allowed({ connection: connectionId }, own);
    expect(await connectionsOf(own)).toEqual([before]);
    expect((await exchange(codeOf(end), {}, own)).status).toBe(200);
    const [after] = await connectionsOf(own);
    expect([after?.id, after?.updatedAt === before?.updatedAt]).toEqual([connectionId, false]);
  });

  it('is not stored for a connection that leads to another system in the meantime, or was deleted', async () => {
    const own = await newApplication();
    const { connectionId } = await connected(own);
    const first = await allowed({ connection: connectionId }, own);
    const second = await allowed({ connection: connectionId }, own);
    await replaceSettings(api.store, connectionId, { url: system.url, schema: 'other' });
    expect((await exchange(codeOf(first.end), {}, own)).body.error).toBe('invalid_grant');
    expect(await connectionsOf(own)).toMatchObject([{ settings: { schema: 'other' } }]);
    await api.fetch(`/v4/connections/${connectionId}`, { method: 'DELETE', token: own.token });
    expect((await exchange(codeOf(second.end), {}, own)).body.error).toBe('invalid_grant');
  });

  it('keeps what only the operator can set in a renewed connection', async () => {
    const own = await newApplication();
    const { connectionId } = await connected(own, { allowPrivateHosts: true });
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { end } = await allowed({ connection: connectionId }, own);
    await exchange(codeOf(end), {}, own);
    expect(await connectionsOf(own)).toMatchObject([{ settings: { allowPrivateHosts: true, schema: 'erp' } }]);
  });

  it('is limited to 20 new connections per application and hour', async () => {
    const { by, end } = await allowed();
    const code = codeOf(end);
    await useCodes(by, 20);
    const refused = await exchange(code, {}, by);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(1800, -2)]);
    expect(await connectionsOf(by)).toEqual([]);
    expect(returned((await allowed({}, by)).end).error).toBe('temporarily_unavailable');
    const { connectionId } = await connected(by);
    expect((await exchange(codeOf((await allowed({ connection: connectionId }, by)).end), {}, by)).status).toBe(200);
    await rows(`delete from unified.authorization_codes where hash = '${by.clientId} 1'`);
    expect((await exchange(code, {}, by)).status).toBe(200);
    expect((await exchange(code, {}, by)).body.error).toBe('invalid_grant');
  });

  it('is not stored if the application is connected to the system in the meantime, unless that was confirmed', async () => {
    const own = await newApplication();
    const open = async (form: Record<string, string>) => {
      const browser = new PageBrowser(api.baseUrl);
      const page = await browser.open(request({ platform: 'sandbox' }, own));
      const begun = { browser, page, session: sessionOf(page), form: { token: tokenIn(page) } };
      await signIn(begun);
      return codeOf(await allow(begun, form));
    };
    const codes = [await open({}), await open({})];
    const confirmed = await open({ connectAgain: 'yes' });
    const sent = await Promise.all(codes.map((code) => exchange(code, {}, own)));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(sent.find(({ status }) => status === 400)?.body.error).toBe('invalid_grant');
    expect((await exchange(confirmed, {}, own)).status).toBe(200);
    expect(await connectionsOf(own)).toHaveLength(2);
  });

  it('gets a free name, even if several codes are redeemed at the same time', async () => {
    const own = await newApplication();
    const ends: ShownPage[] = [];
    for (let count = 0; count < 3; count += 1) ends.push((await allowed({}, own)).end);
    const sent = await Promise.all(ends.map((end) => exchange(codeOf(end), {}, own)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    const names = (await connectionsOf(own)).map(({ name }) => name).sort();
    expect(names).toEqual(['Sandbox company', 'Sandbox company 2', 'Sandbox company 3']);
  });

  it('is the system that the page showed, although another tab has checked another one since', async () => {
    const begun = await begin({ platform: 'sandbox' });
    const shown = await signIn(begun);
    const [, check = ''] = shown.text.match(/name="check" value="([^"]+)"/) ?? [];
    await signIn(begun);
    expect((await allow(begun, { check })).location).toBe('');
    const again = (await begun.browser.open(begun.session)).text.match(/name="check" value="([^"]+)"/)?.[1] ?? '';
    expect(returned(await allow(begun, { check: again, connectAgain: 'yes' }))).toHaveProperty('code');
  });

  it('is compared with other connections without decrypting their settings', async () => {
    const own = await newApplication();
    const { connectionId } = await connected(own);
    const open = async () => {
      const browser = new PageBrowser(api.baseUrl);
      const page = await browser.open(request({}, own));
      return signIn({ browser, page, session: sessionOf(page), form: { token: tokenIn(page) } });
    };
    expect((await open()).text).toContain('name="connectAgain"');
    await rows(`update unified.connections set settings = 'unreadable' where id = '${connectionId}'`);
    expect((await open()).text).toContain('name="connectAgain"');
  });
});

describe('a connection of the Management API', () => {
  const settings = () => ({ url: system.url, schema: 'erp' });

  /** Another address of the same system, which counts as a different system. */
  function moved(): URL {
    const url = new URL(system.url);
    url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    return url;
  }

  it('to a system that the application is connected to already is refused, unless it is requested', async () => {
    const { token } = await newApplication();
    const create = (more: object = {}) =>
      api.fetch<{ data: { id: string }; message: string; code: string }>('/v4/connections', {
        ...{ method: 'POST', token, json: { platform: 'sandbox', settings: settings(), ...more } },
      });
    const first = await create({ name: 'First' });
    expect(first.status).toBe(201);
    const second = await create({ name: 'Second' });
    expect([second.status, second.body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
    expect(second.body.message).toContain(`"First" (${first.body.data.id})`);
    expect((await create({ name: 'Second', allowDuplicate: true })).status).toBe(201);
    const { token: other } = await newApplication();
    const theirs = { platform: 'sandbox', settings: settings() };
    expect((await api.fetch('/v4/connections', { method: 'POST', token: other, json: theirs })).status).toBe(201);
  });

  it('is created with metadata and a schedule', async () => {
    const { token } = await newApplication();
    const metadata = { tenant: 'northwind' };
    const create = (more: object) =>
      api.fetch<{ data: object; code: string }>('/v4/connections', {
        ...{ method: 'POST', token, json: { platform: 'sandbox', settings: settings(), ...more } },
      });
    const long = await create({ metadata: { ['n'.repeat(41)]: 'x' } });
    expect([long.status, long.body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    const { status, body } = await create({ metadata, syncSchedule: { everyMinutes: 60 } });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ metadata, syncSchedule: { everyMinutes: 60, fullEveryHours: 24 } }),
    ]);
  });

  it('is created only once by two requests at the same time', async () => {
    const { token } = await newApplication();
    const create = (name: string) =>
      api.fetch('/v4/connections', {
        ...{ method: 'POST', token, json: { platform: 'sandbox', settings: settings(), name } },
      });
    const made = await Promise.all(['One', 'Two', 'Three'].map(create));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('is not pointed to the system of another connection of the application, unless that is requested', async () => {
    const { token } = await newApplication();
    const send = (method: string, path: string, json: object) =>
      api.fetch<{ data: { id: string }; message: string; code: string }>(`/v4/connections${path}`, {
        ...{ method, token, json },
      });
    const create = (name: string, more: object = {}) =>
      send('POST', '', { platform: 'sandbox', name, settings: { ...settings(), ...more } });
    const { id: first } = (await create('First')).body.data;
    const { id } = (await create('Second', { url: moved().href })).body.data;
    const patch = (more: object) => send('PATCH', `/${id}`, { settings: { url: system.url }, ...more });
    const refused = await patch({});
    expect([refused.status, refused.body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
    expect(refused.body.message).toContain(`"First" (${first})`);
    expect((await patch({ allowDuplicate: true })).status).toBe(200);
    expect((await patch({})).status).toBe(200);
  });

  it('is not restored if the application is connected to its system again, unless that is requested', async () => {
    const { token } = await newApplication();
    const send = (method: string, path: string, json?: object) =>
      api.fetch<{ data: { id: string }; code: string }>(`/v4/connections${path}`, { method, token, json });
    const create = (name: string) => send('POST', '', { platform: 'sandbox', name, settings: settings() });
    const { id } = (await create('First')).body.data;
    await send('DELETE', `/${id}`);
    expect((await create('Second')).status).toBe(201);
    const refused = await send('POST', `/${id}/actions/restore`);
    expect([refused.status, refused.body.code]).toEqual([409, 'SERVICE_ALREADY_EXISTS']);
    expect((await send('POST', `/${id}/actions/restore`, { allowDuplicate: true })).status).toBe(200);
  });

  it('is pointed to a system by one of two requests at the same time', async () => {
    const own = await newApplication();
    const made = { applicationId: own.applicationId, platform: 'sandbox' };
    const other = async (schema: string) =>
      (await api.connect({ ...made, settings: { url: system.url, schema } })).connectionId;
    const ids = [await other('one'), await other('two')];
    const patch = (id: string) =>
      api.fetch(`/v4/connections/${id}`, { method: 'PATCH', token: own.token, json: { settings: settings() } });
    const sent = await Promise.all(ids.map(patch));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('loses the permission for a private host when its settings lead to another system', async () => {
    const own = await newApplication();
    const made = { applicationId: own.applicationId, platform: 'sandbox' };
    const { connectionId } = await api.connect({ ...made, settings: { ...settings(), allowPrivateHosts: true } });
    const patch = (url: string) =>
      api.fetch<{ message: string; data: { settings: object } }>(`/v4/connections/${connectionId}`, {
        ...{ method: 'PATCH', token: own.token, json: { settings: { url } } },
      });
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await patch(`${system.url}?sslmode=disable`)).body.data.settings).toHaveProperty('allowPrivateHosts');
    expect((await patch(moved().href)).body.message).toContain('allowed by the operator of the service');
    vi.unstubAllEnvs();
    expect((await patch(moved().href)).body.data.settings).toEqual({ schema: 'erp' });
  });
});

describe('an authorization request', () => {
  it('needs no parameters other than client_id, redirect_uri and response_type', async () => {
    const page = await new PageBrowser(api.baseUrl).send(request({ state: undefined }));
    expect([page.status, page.location]).toEqual([302, expect.stringContaining(`${AT}/`)]);
  });

  it('returns a state of up to 2,000 characters, which may contain any', async () => {
    const state = `"&=%\n\u{1f511}${'x'.repeat(1990)}`;
    const begun = await begin({ state });
    expect(returned(await begun.browser.submit(`${begun.session}/cancel`, begun.form))).toMatchObject({ state });
    const longer = returned(await new PageBrowser(api.baseUrl).send(request({ state: `${state}xxxxxxxx` })));
    expect([longer.error, longer.state]).toEqual(['invalid_request', undefined]);
  });

  it('is not available to scripts of other origins, which other addresses are', async () => {
    const headers = { Origin: 'https://app.example' };
    const origin = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(api.baseUrl + path, {
        redirect: 'manual',
        ...init,
        headers: { ...headers, ...init.headers },
      });
      return response.headers.get('access-control-allow-origin');
    };
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } };
    const { page } = await begin();
    expect([await origin(request()), await origin(AT, preflight), await origin(sessionOf(page))]).toEqual([
      ...[null, null, null],
    ]);
    expect([await origin('/oauth/token', preflight), await origin('/oauth/jwks.json')]).toEqual(['*', '*']);
  });
});

describe('a wrong request', () => {
  it.each([
    ['an unknown client', { client_id: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b' }],
    ['a client id that is not a UUID', { client_id: "' or 1=1" }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a longer host', { redirect_uri: 'https://portal.northwind.example.evil/callback?tenant=7' }],
    ['another scheme', { redirect_uri: 'http://portal.northwind.example/callback?tenant=7' }],
    ['no scheme', { redirect_uri: '//portal.northwind.example/callback?tenant=7' }],
    ['credentials', { redirect_uri: 'https://portal.northwind.example@evil.example/callback?tenant=7' }],
    ['another case', { redirect_uri: 'https://PORTAL.northwind.example/callback?tenant=7' }],
    ['a port', { redirect_uri: 'https://portal.northwind.example:443/callback?tenant=7' }],
    ['a fragment', { redirect_uri: `${REDIRECT}#` }],
    ['a longer path', { redirect_uri: 'https://portal.northwind.example/callback/../evil?tenant=7' }],
    ['encoding', { redirect_uri: 'https://portal.northwind.example/%63allback?tenant=7' }],
    ['a backslash', { redirect_uri: 'https://portal.northwind.example\\@evil.example/callback?tenant=7' }],
    ['a longer query', { redirect_uri: `${REDIRECT}&next=//evil.example` }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a NUL byte', { redirect_uri: `${REDIRECT}\0` }],
  ])('is not redirected: %s', async (_name, query) => {
    const { status, text, location } = await new PageBrowser(api.baseUrl).send(request(query));
    expect([status, location]).toEqual([400, '']);
    expect(text).toContain('This link does not work');
    expect(text).not.toContain('evil');
  });

  it.each(['client_id', 'redirect_uri'])('with a repeated %s is not redirected', async (name) => {
    const value = name === 'client_id' ? application.clientId : 'https://evil.example/';
    const { status } = await new PageBrowser(api.baseUrl).send(`${request()}&${name}=${encodeURIComponent(value)}`);
    expect(status).toBe(400);
  });

  it.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'data management' }, 'invalid_scope'],
    ['another resource', { resource: 'https://evil.example/' }, 'invalid_target'],
    [
      'the challenge method plain',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a challenge without its method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'x', code_challenge_method: 'S256' }, 'invalid_request'],
    ['an unknown platform', { platform: 'nowhere' }, 'invalid_request'],
    ['an unknown connection', { connection: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b' }, 'invalid_request'],
    ['a connection id that is not a UUID', { connection: 'x' }, 'invalid_request'],
  ])('is returned to the client: %s', async (_name, query, error) => {
    const page = await new PageBrowser(api.baseUrl).send(request(query));
    expect(page.status).toBe(302);
    expect(returned(page)).toMatchObject({ error, state: 'state 1', iss: api.store.publicUrl });
  });

  it('for a connection of another application is returned to the client', async () => {
    const other = await newApplication();
    const settings = { url: system.url, schema: 'erp' };
    const { body } = await api.fetch<{ data: { id: string } }>('/v4/connections', {
      ...{ method: 'POST', token: other.token, json: { platform: 'sandbox', settings } },
    });
    const connection = body.data.id;
    expect(returned(await new PageBrowser(api.baseUrl).send(request({ connection })))).toMatchObject({
      error: 'invalid_request',
      error_description: 'There is no such connection.',
    });
    expect((await new PageBrowser(api.baseUrl).send(request({ connection }, other))).location).toContain(`${AT}/`);
  });

  it('with a repeated parameter is returned to the client', async () => {
    const page = await new PageBrowser(api.baseUrl).send(`${request()}&scope=data&scope=data`);
    expect(returned(page)).toMatchObject({ error: 'invalid_request', state: 'state 1' });
    const twice = await new PageBrowser(api.baseUrl).send(`${request()}&state=2`);
    expect(returned(twice)).not.toHaveProperty('state');
  });

  it('adds no header by its state', async () => {
    const state = 'x\r\nSet-Cookie: a=b\r\n\r\n<script>';
    const page = await new PageBrowser(api.baseUrl).send(request({ state, scope: 'x' }));
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(returned(page).state).toBe(state);
  });
});

describe('a session', () => {
  it('belongs to the browser that began it', async () => {
    const { session, form } = await begin();
    const thief = new PageBrowser(api.baseUrl);
    expect((await thief.open(session)).status).toBe(403);
    const other = await begin({}, thief);
    expect((await thief.open(session)).status).toBe(403);
    expect((await thief.submit(`${session}/cancel`, form)).status).toBe(403);
    expect((await thief.submit(`${session}/cancel`, other.form)).status).toBe(403);
    for (const id of ['0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b', 'x', '%00'])
      expect((await thief.open(`${AT}/${id}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('is continued where it was left, next to others of the same browser', async () => {
    const browser = new PageBrowser(api.baseUrl);
    const first = await begin({}, browser);
    await browser.submit(`${first.session}/platform`, { ...first.form, platform: 'tryton' });
    const second = await begin({}, browser);
    expect((await browser.open(first.session)).text).toContain('Sign in to Tryton');
    expect((await browser.open(second.session)).text).toContain('Which system do you use?');
    expect((await browser.submit(`${first.session}/cancel`, second.form)).status).toBe(403);
  });

  it.each([
    ['without its token', {}, { token: '' }],
    ['with a wrong token', {}, { token: 'x'.repeat(43) }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, {}],
    ['from a sibling domain', { 'sec-fetch-site': 'same-site' }, {}],
    ['from another origin', { origin: 'https://evil.example' }, {}],
    ['from an origin with the same beginning', { origin: 'http://localhost:4000.evil.example' }, {}],
  ])('accepts no form %s', async (_name, headers, fields) => {
    const { browser, session, form } = await begin();
    Object.assign(browser.headers, headers);
    const sent = await browser.submit(`${session}/cancel`, { ...form, ...fields });
    expect(sent.status).toBe(403);
    expect((await browser.send(session)).status).toBe(200);
  });

  it('accepts forms only as forms, and no other methods', async () => {
    const { browser, session, form } = await begin();
    const json = await browser.send(`${session}/cancel`, {
      method: 'POST',
      body: JSON.stringify(form),
      type: 'application/json',
    });
    expect(json.status).toBe(415);
    expect((await browser.send(`${session}/cancel?token=${form.token}`)).status).toBe(405);
    expect((await browser.submit(`${session}/constructor`, form)).status).toBe(404);
  });

  it('is allowed once, even by concurrent requests', async () => {
    const begun = await begin();
    await signIn(begun);
    const sent = await Promise.all(Array.from({ length: 5 }, () => allow(begun, { connectAgain: 'yes' })));
    expect(sent.filter(({ location }) => location.includes('code=')).length).toBe(1);
    expect((await begun.browser.open(begun.session)).status).toBe(410);
    expect((await allow(begun, { connectAgain: 'yes' })).status).toBe(410);
  });

  it('cannot be allowed before its system was accepted', async () => {
    const begun = await begin({ platform: 'sandbox' });
    expect((await allow(begun)).location).toBe('');
    await begun.browser.enter(begun.session, begun.form, { url: system.url, schema: 'nowhere' });
    await checked(begun);
    expect((await allow(begun)).location).toBe('');
  });

  it('checks a limited number of systems, so that passwords cannot be guessed', async () => {
    const begun = await begin({ platform: 'sandbox' });
    const url = 'postgres://u:p@no-such-host.invalid/erp';
    const pages: ShownPage[] = [];
    for (let count = 0; count < 21; count += 1)
      pages.push(await begun.browser.enter(begun.session, begun.form, { url }));
    expect(pages.at(-1)?.text).toContain('tested too often');
    expect(pages.at(-2)?.text).not.toContain('tested too often');
  });

  it('shares the checks that can run at a time with others of its client', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const own = await newApplication();
    const submit = async () => {
      const browser = new PageBrowser(api.baseUrl);
      const page = await browser.open(request({ platform: 'sandbox' }, own));
      const sent = { url: `postgres://u:p@localhost:${port}/erp` };
      return (await browser.enter(sessionOf(page), { token: tokenIn(page) }, sent)).text;
    };
    const pages = await Promise.all(Array.from({ length: 6 }, submit));
    expect(pages.filter((text) => text.includes('data-changing'))).toHaveLength(4);
  });

  it('counts guesses of the system of a connection', async () => {
    const own = await newApplication();
    const settings = { url: system.url, schema: 'erp' };
    const { connectionId } = await api.connect({ applicationId: own.applicationId, platform: 'sandbox', settings });
    const browser = new PageBrowser(api.baseUrl);
    const page = await browser.open(request({ connection: connectionId }, own));
    const guess = (schema: string) =>
      browser.enter(sessionOf(page), { token: tokenIn(page) }, { url: system.url, schema });
    for (let count = 0; count < 20; count += 1) expect((await guess('x')).text).toContain('This is a different system');
    expect((await guess('x')).text).toContain('tested too often');
    expect((await guess('erp')).text).toContain('tested too often');
  });

  it('may not be framed, stored, or run scripts of other sources', async () => {
    const { page, browser } = await begin();
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(
      "form-action 'self' https://portal.northwind.example; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    expect(page.text).not.toMatch(/ style=|<script(?! type="module" src=)| on\w+=/);
    expect([...browser.cookies.keys()]).toEqual(['authorization']);
    const { headers } = await new PageBrowser(api.baseUrl).send(request());
    expect(headers.getSetCookie()[0]).toMatch(/^authorization=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('leaves no secret in logs or in the database', async () => {
    const begun = await begin();
    const secret = 'canary-4711';
    const url = new URL(system.url);
    url.password = secret;
    await signIn(begun, { url: url.href });
    const stored = JSON.stringify(await rows('select * from unified.authorization_sessions'));
    const [cookie = ''] = begun.browser.cookies.values();
    for (const text of [secret, cookie, begun.form.token, 'state 1']) {
      expect(stored).not.toContain(text);
      expect(server.logged.join('\n')).not.toContain(text);
    }
    const { code = '' } = returned(await allow(await readyToAllow()));
    expect(server.logged.join('\n')).not.toContain(code);
  });

  const readyToAllow = async () => {
    const begun = await begin();
    await signIn(begun);
    return { ...begun, form: { ...begun.form, connectAgain: 'yes' } };
  };
});

it('fetches a logo once an hour, however often it is requested; one that is missing, once a minute', async () => {
  const requested: string[] = [];
  const server = createHttpServer(({ url = '' }, response) => {
    requested.push(url);
    if (url === '/logo.png') response.writeHead(200, { 'content-type': 'image/png' }).end('image');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const [path, status] of [
    ['/logo.png', 200],
    ['/missing.png', 404],
  ] as const) {
    const own = await newApplication();
    const scope = api.store.application(own.applicationId);
    const value = { productName: null, logoUrl: `http://localhost:${port}${path}`, primaryColor: null };
    await setClientSetting(scope, own.clientId, {
      name: 'whitelabel',
      value: { ...value, supportUrl: null, termsUrl: null },
    });
    const browser = new PageBrowser(api.baseUrl);
    const session = sessionOf(await browser.open(request({}, own)));
    const sent = await Promise.all(Array.from({ length: 10 }, () => browser.send(`${session}/logo`)));
    expect(new Set(sent.map((each) => each.status))).toEqual(new Set([status]));
    expect((await browser.send(`${session}/logo`)).status).toBe(status);
  }
  expect(requested).toEqual(['/logo.png', '/missing.png']);
});

it('limits the pages, their progress and logos that one address requests', async () => {
  const limited = await startApi();
  onTestFinished(() => limited.stop());
  const browser = new PageBrowser(limited.baseUrl);
  const paths = ['', '/progress', '/logo'].map((part) => `${AT}/0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b${part}`);
  for (let count = 0; count < 600; count += 1)
    expect((await browser.send(paths[count % 3] ?? '')).status).not.toBe(429);
  for (const path of paths) expect((await browser.send(path)).status).toBe(429);
});

it('limits authorizations and forms of one address', async () => {
  const limited = await startApi();
  onTestFinished(() => limited.stop());
  const browser = new PageBrowser(limited.baseUrl);
  let last = await browser.send(AT);
  for (let count = 0; count < 60; count += 1) last = await browser.send(AT);
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});
