import { openIdProvider } from '@unified/server';
import { addOperator } from '@unified/store';
import { api as startApi, type TestApi } from '@unified/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { CLIENT, type RunningProvider, startProvider } from './openid-accounts.ts';
import { inspect } from './page-inspection.ts';
import { openBrowser, type RealBrowser } from './real-browser.ts';

// Pages are laid out several times, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

let provider: RunningProvider;
let api: TestApi;
let browser: RealBrowser;
let page: Page;
let root: string;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  root = `${publicUrl}/console`;
  provider = await startProvider(`${root}/openid`);
  const settings = { issuer: provider.issuer, ...CLIENT, name: 'Northwind Login', trustsEmail: false };
  api = await startApi({ port, publicUrl, openIdProvider: openIdProvider(settings, publicUrl) });
  await addOperator(api.store, { email: 'maria@northwind.example', name: 'Maria Lindgren', role: 'viewer' });
  provider.accounts.set('maria', { email: 'maria@northwind.example', email_verified: true });
  provider.accounts.set('stranger', { email: 'stranger@northwind.example', email_verified: true });
  browser = await openBrowser();
  page = await browser.context.newPage();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await api?.stop();
  await provider?.stop();
});

/** Opens a page without a session, and signs in at the provider. */
async function signIn(path: string, subject: string): Promise<void> {
  await browser.context.clearCookies();
  await page.goto(`${root}${path}`);
  await page.getByRole('button', { name: 'Sign in with Northwind Login' }).click();
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByText('Authorize').first().waitFor();
  await page.locator('button[type=submit]').click();
}

it('an operator returns from the provider to the page that was opened', async () => {
  await signIn('/audit', 'maria');
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await page.getByText('Maria Lindgren').first().waitFor();
  expect(page.url()).toBe(`${root}/audit`);
});

it('a person without an invitation learns what to do, and can go back', async () => {
  await signIn('/', 'stranger');
  await page.getByText('Ask an admin to invite you').waitFor();
  expect(page.url()).toBe(`${root}/openid`);
  await inspect(page, 'openid-refused');
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.getByRole('button', { name: 'Sign in with Northwind Login' }).waitFor();
  await inspect(page, 'openid-sign-in');
});
