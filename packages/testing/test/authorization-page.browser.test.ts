import { createEngine, startWorker } from '@unified/engine';
import { addSandboxPlatform } from '@unified/sandbox';
import { createServer as createApiServer } from '@unified/server';
import { addRedirectUri, applicationSecret, createApplication, setClientSetting } from '@unified/store';
import { database } from '@unified/testing';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startCompany } from '../../sandbox/test/company-database.ts';
import { inspect as inspectPage } from './page-inspection.ts';
import { openBrowser, openReturnPage, type ReturnPage } from './real-browser.ts';
import { watchPage } from './watched-page.ts';

/** Texts that are broken within a word, or that extend beyond the border of their row. */
const MISPLACED = `[
  ...[...document.querySelectorAll('.step-name')].filter((name) => name.offsetHeight > 30),
  ...[...document.querySelectorAll('.permissions summary .quiet')].filter(
    (count) => count.getBoundingClientRect().bottom > count.closest('details').getBoundingClientRect().bottom),
].map(({ textContent }) => textContent)`;

addSandboxPlatform();

/** The parts of an element in the page that the tests use. */
interface PageElement {
  readonly tagName: string;
}

const stops: (() => Promise<unknown>)[] = [];

let baseUrl: string;
let clientId: string;
let clientSecret: string;
let home: ReturnPage;
let systemUrl: string;
let page: Page;
let faults: readonly string[];

beforeAll(async () => {
  const system = await startCompany();
  systemUrl = system.url;
  const base = await database();
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const background = { store: base.store, databaseUrl: base.url, log: logger };
  const engine = createEngine(background);
  const worker = await startWorker(background);
  const server = await createApiServer({ store: base.store, engine, logger, publicUrl: base.store.publicUrl, port: 0 });
  baseUrl = server.url;
  home = await openReturnPage();
  const application = await createApplication(base.store, 'Northwind Portal');
  clientId = application.id;
  clientSecret = (await applicationSecret(base.store, clientId)) ?? '';
  const scope = base.store.application(application.id);
  await addRedirectUri(scope, clientId, home.redirectUri);
  const appearance = { primaryColor: '#0a5c8f', supportUrl: 'https://northwind.example/help', termsUrl: null };
  const value = { productName: null, logoUrl: null, ...appearance };
  await setClientSetting(scope, clientId, { name: 'whitelabel', value });
  const browser = await openBrowser();
  stops.push(
    () => browser.close(),
    () => server.close(),
    () => worker.stop(),
    () => engine.close(),
    () => base.stop(),
    () => system.stop(),
    async () => home.close(),
  );
  page = await browser.context.newPage();
  const own = [baseUrl, 'data:', new URL(home.redirectUri).origin];
  // Forms with errors are responses of status 422, and the wrong link is one of status 400.
  faults = watchPage(
    page,
    (url) => own.some((each) => url.startsWith(each)),
    (message) => /status of (400|422) /.test(message),
  );
}, 600_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

const inspect = (name: string) => inspectPage(page, name, { fullPage: true, misplaced: MISPLACED });

function authorizationUrl(parameters: Record<string, string> = {}): string {
  const sent = { client_id: clientId, redirect_uri: home.redirectUri, response_type: 'code', state: 'af0ifjsldkj' };
  return `${baseUrl}/oauth/authorize?${new URLSearchParams({ ...sent, ...parameters })}`;
}

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

it('connects a system: search, form, refusal of a wrong password, preview, consent, code, token, vendors', async () => {
  await page.goto(authorizationUrl());
  await heading('Which system do you use?');
  await inspect('1-choose');
  await page.getByRole('searchbox', { name: 'Search for a system' }).fill('sandbox');
  expect(await page.locator('.systems > li:visible').count()).toBe(1);
  await page.getByRole('button', { name: /Sandbox company/ }).click();

  await heading('Sign in to Sandbox company');
  await inspect('2-sign-in');
  await press('Test the connection');
  await page.getByRole('alert').getByText('Please correct your entries').waitFor();
  await inspect('3-missing');
  const wrong = new URL(systemUrl);
  wrong.password = 'wrong';
  await page.getByLabel('Connection string').fill(wrong.href);
  await press('Test the connection');
  await page.getByRole('alert').getByText('The system refuses the user name or the password').waitFor();
  await page.getByText('password authentication failed').waitFor();
  await inspect('4-refused');

  await press('Change the entries');
  expect(await page.getByLabel('Connection string').inputValue()).toBe('');
  await page.getByLabel('Connection string').fill(systemUrl);
  await press('Test the connection');
  await heading(/^(Testing the connection|Allow Northwind Portal)/);
  await heading('Allow Northwind Portal to use Sandbox company?');
  await page.getByRole('table', { name: 'Vendors' }).waitFor();
  await inspect('5-allow');
  await press('Allow');
  await page.getByText('Welcome back').waitFor();

  const [answer] = home.returned;
  expect(answer?.searchParams.get('state')).toBe('af0ifjsldkj');
  const token = await tokenFor(answer?.searchParams.get('code') ?? '');
  const vendors = async () => {
    const response = await fetch(`${baseUrl}/v4/vendors?per_page=5`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await response.json()) as { data: unknown[] };
    if (data.length < 5) throw new Error('the vendors are not copied yet');
  };
  await vi.waitFor(vendors, { timeout: 400_000, interval: 500 });
}, 600_000);

async function tokenFor(code: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: home.redirectUri });
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body, headers: { authorization } });
  return ((await response.json()) as { access_token: string }).access_token;
}

it('works with the keyboard alone, and in German', async () => {
  await page.goto(authorizationUrl({ locale: 'de' }));
  await heading('Welches System verwenden Sie?');
  await page.getByText('Tryton 6.0 bis 8.2 über JSON-RPC').waitFor();
  await inspect('6-deutsch');
  await page.getByRole('searchbox').focus();
  const focused = () => page.evaluate<PageElement['tagName']>('document.activeElement.tagName');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('BUTTON');
  await page.keyboard.press('Enter');
  await heading(/^Bei .* anmelden$/);
  await inspect('7-anmelden');
  await page.getByRole('button', { name: 'Abbrechen' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Welcome back').waitFor();
  expect(home.returned.at(-1)?.searchParams.get('error')).toBe('access_denied');
});

it('explains a wrong link', async () => {
  await page.goto(authorizationUrl({ redirect_uri: 'https://evil.example/' }));
  await heading('This link does not work');
  await inspect('8-wrong-link');
});

it('is small, sends no requests to other servers, and its scripts run without errors', async () => {
  const sizes = await Promise.all(
    ['/oauth/authorize/page.css', '/oauth/authorize/page.js'].map(async (path) => {
      const response = await fetch(baseUrl + path, { headers: { 'accept-encoding': 'gzip' } });
      return Number(response.headers.get('content-length'));
    }),
  );
  expect(sizes.reduce((total, size) => total + size)).toBeLessThan(30_000);
  expect(faults).toEqual([]);
});
