import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api as startApi, type TestApi } from '@unified/testing';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 100_000;

let api: TestApi;
let profile: string;
let browser: BrowserContext;
let page: Page;
/** Addresses outside the server that the page requested, and errors of its scripts. */
const foreign: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  api = await startApi();
  profile = await mkdtemp(join(tmpdir(), 'reference-'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS });
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(api.baseUrl) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${api.baseUrl}/docs`);
});

afterAll(async () => {
  await browser?.close();
  await api?.stop();
  if (profile) await rm(profile, { recursive: true, force: true });
});

const entry = (name: string) => page.getByText(name, { exact: true }).first();

it('shows the guide, the table of error codes and every group of operations', async () => {
  await page.getByRole('heading', { level: 1, name: /Unified Business-Data API/ }).waitFor();
  for (const name of ['Filtering', 'Idempotency', 'Errors', 'Work Orders', 'Vendors', 'Writes']) {
    await entry(name).waitFor();
  }
  await entry('Errors').click();
  await page.getByText('SERVICE_OUTCOME_UNKNOWN').first().waitFor();
});

it('opens an operation with a sample at the public address of the server', async () => {
  await entry('Vendors').click();
  await entry('Create a vendor').click();
  await page.locator('pre', { hasText: 'http://localhost:4000/v4/vendors' }).first().waitFor();
});

it('finds an operation by search', async () => {
  const result = page.getByText('Cancel a work order').first();
  // A search before the page has built its index finds nothing, so it is repeated.
  const found = async () => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search docs...').pressSequentially('Cancel a work order');
    const isThere = await result.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!isThere) await page.keyboard.press('Escape');
    return isThere;
  };
  await expect.poll(found, { timeout: PATIENCE_MS }).toBe(true);
});

it('sends no requests to other servers, and its scripts run without errors', () => {
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});
