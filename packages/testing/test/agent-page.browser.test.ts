import { hash, randomBytes } from 'node:crypto';
import { addRedirectUri } from '@unified/store';
import { api as startApi, type TestApi, type TestMcpUser } from '@unified/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { inspect } from './page-inspection.ts';
import { openBrowser, openReturnPage, type RealBrowser, type ReturnPage } from './real-browser.ts';

vi.setConfig({ testTimeout: 300_000 });

const VERIFIER = randomBytes(32).toString('base64url');
const AGENT = 'https://editor.example/client.json';

let api: TestApi;
let user: TestMcpUser;
let home: ReturnPage;
let browser: RealBrowser;
let page: Page;
/** Errors of the policy, the scripts and the console of the page. */
const errors: string[] = [];

beforeAll(async () => {
  home = await openReturnPage();
  const described = { client_id: AGENT, client_name: 'Editor', redirect_uris: [home.redirectUri, 'editor://done'] };
  api = await startApi({
    documentAt: async (url) => (url === AGENT ? described : null),
    limiter: { count: async () => ({ used: 1, reset: 60 }) },
  });
  user = await api.mcpUser();
  await addRedirectUri(api.store.application(user.applicationId), user.applicationId, home.redirectUri);
  browser = await openBrowser();
  page = await browser.context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // A form with an error is a response of status 422.
    if (message.type() === 'error' && !message.text().includes('status of 422')) errors.push(message.text());
  });
}, 300_000);
afterAll(async () => {
  await browser.close();
  await api.stop();
  home.close();
});
beforeEach(() => {
  errors.length = 0;
});

/** Opens the page on which the user decides. */
async function open(query: Readonly<Record<string, string>> = {}): Promise<void> {
  const sent = {
    ...{ client_id: AGENT, redirect_uri: home.redirectUri, response_type: 'code', state: 'state 1' },
    ...{ resource: `${api.store.publicUrl}/mcp`, code_challenge: hash('sha256', VERIFIER, 'base64url') },
    ...{ code_challenge_method: 'S256', ...query },
  };
  await page.goto(`${api.baseUrl}/oauth/authorize?${new URLSearchParams(sent)}`);
  await page.getByRole('heading', { level: 1, name: /Editor|Tests/ }).waitFor();
}

const field = () => page.getByLabel('Personal access token');
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

it('authorizes an agent: page, refusal of a wrong token, code, tokens', async () => {
  await open();
  await inspect(page, 'agent-1-request', { fullPage: true, allRules: true });
  expect(await page.getByText(AGENT).count()).toBe(1);
  expect(await field().getAttribute('type')).toBe('password');
  await field().fill('pat_wrong');
  await press('Allow');
  await page.getByRole('alert').waitFor();
  await inspect(page, 'agent-2-refused', { fullPage: true, allRules: true });
  expect([await field().inputValue(), await field().getAttribute('aria-invalid')]).toEqual(['', 'true']);
  await page.getByRole('alert').getByRole('link').click();
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('personal-access-token');
  await field().fill(user.token);
  await page.keyboard.press('Enter');
  await page.getByText('Welcome back').waitFor();
  const { code = '', state } = Object.fromEntries(home.returned.at(-1)?.searchParams ?? []);
  expect(state).toBe('state 1');
  const sent = { grant_type: 'authorization_code', code, redirect_uri: home.redirectUri, code_verifier: VERIFIER };
  const json = { client_id: AGENT, ...sent };
  const { status, body } = await api.fetch('/oauth/token', { method: 'POST', token: null, json });
  expect([status, body]).toMatchObject([200, { scope: 'mcp', refresh_token: expect.stringMatching(/^mrt_/) }]);
  expect(errors).toEqual([]);
});

it('returns without a code if the user cancels', async () => {
  await open();
  await press('Cancel');
  await page.getByText('Welcome back').waitFor();
  expect(Object.fromEntries(home.returned.at(-1)?.searchParams ?? [])).toMatchObject({ error: 'access_denied' });
  expect(errors).toEqual([]);
});

it('shows that a request has ended', async () => {
  await open();
  const { pathname } = new URL(page.url());
  await press('Cancel');
  await page.getByText('Welcome back').waitFor();
  await page.goto(`${api.baseUrl}${pathname}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await inspect(page, 'agent-3-ended', { fullPage: true, allRules: true });
});

it('names a client of the application', async () => {
  await open({ client_id: user.applicationId });
  await inspect(page, 'agent-4-client', { fullPage: true, allRules: true });
});
