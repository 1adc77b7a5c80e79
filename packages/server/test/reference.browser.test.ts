import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
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
/** Addresses outside the server that the page requested, and errors from its scripts and console. */
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
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await api?.stop();
  if (profile) await rm(profile, { recursive: true, force: true });
});

/** A global function of the page. */
declare function getComputedStyle(element: unknown): { readonly color: string };

/** The parts of an element in the page that these tests use. */
interface PageElement {
  checkVisibility(): boolean;
  readonly dataset: { readonly language?: string };
  readonly href: string;
}

const open = (path: string) => page.goto(api.baseUrl + path);
const search = () => page.getByRole('combobox', { name: 'Search the reference' });
const hits = () => page.getByRole('option');

/** The section of an operation on the page of its group. */
function section(id: string): Locator {
  return page.locator(`section[aria-labelledby="${id}"]`);
}

/** Addresses of the pages of all groups. */
async function groupPages(): Promise<string[]> {
  await open('/docs');
  return page
    .locator('#menu details a')
    .evaluateAll((links: PageElement[]) => links.map(({ href }) => new URL(href).pathname));
}

it('begins with the quickstart, and shows the versions of the product and of its API', async () => {
  await open('/docs');
  await page.getByRole('heading', { level: 1, name: 'Unified Business-Data API' }).waitFor();
  expect(await page.locator('#menu a').first().textContent()).toBe('Quickstart');
  const health = (await (await fetch(`${api.baseUrl}/v4/system/health`)).json()) as { version: string };
  const { info } = (await (await fetch(`${api.baseUrl}/openapi.json`)).json()) as { info: { version: string } };
  expect(await page.locator('header .versions').textContent()).toMatch(
    new RegExp(`Release ${health.version}\\s+API ${info.version}`),
  );
});

it('shows the TypeScript sample of every operation that has one once it was chosen, and the curl sample of those to come', async () => {
  await open('/docs/api/vendors');
  await section('createVendor').getByRole('button', { name: 'TypeScript SDK' }).click();
  const shown = { typescript: 0, curl: 0 };
  for (const path of await groupPages()) {
    await open(path);
    const languages = await page
      .locator('.operation .sample')
      .evaluateAll((all: PageElement[]) =>
        all.filter((each) => each.checkVisibility()).map(({ dataset }) => dataset.language),
      );
    shown.typescript += languages.filter((each) => each === 'typescript').length;
    shown.curl += languages.filter((each) => each === 'curl').length;
  }
  expect(shown).toEqual({ typescript: operations.length, curl: 0 });
  await page.locator('.operation').last().getByRole('button', { name: 'curl' }).click();
  await open('/docs/api/vendors');
  const sample = section('createVendor').locator('.sample:visible code');
  expect(await sample.textContent()).toContain('http://localhost:4000/v4/vendors');
}, 200_000);

it('finds operations, guides, errors and fields while the reader types, the best hit first', async () => {
  await open('/docs');
  await page.keyboard.press('Control+k');
  const first = {
    'cancel a work order': 'POST Cancel a work order /work-orders/{id}/actions/cancel',
    filtering: 'Guide Filtering Guides',
    SERVICE_CONFLICT: 'Error SERVICE_CONFLICT 409',
    vendors: 'Group Vendors Vendor',
    openAmount: 'Field openAmount Payables',
    '/work-orders': 'Group Work Orders WorkOrder',
    pagination: 'Guide Lists and paging Guides',
    supplier: 'Group Vendors Vendor',
    'api key': 'Guide Authentication Guides',
  };
  for (const [text, hit] of Object.entries(first)) {
    await search().fill(text);
    await expect.poll(async () => (await hits().first().textContent())?.trim()).toBe(hit);
    expect(await hits().first().getAttribute('aria-selected')).toBe('true');
  }
});

it('opens the first hit with Enter, even if the key is pressed before the index has arrived', async () => {
  const pressed = Promise.withResolvers<void>();
  await page.route('**/docs/search.json', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await open('/docs/filtering');
  await page.getByRole('button', { name: /Search/ }).click();
  await search().pressSequentially('cancel a work order');
  await search().press('Enter');
  pressed.resolve();
  await page.waitForURL('**/docs/api/work-orders#cancelWorkOrder');
  await section('cancelWorkOrder').getByRole('heading', { name: 'Cancel a work order' }).waitFor();
  await page.unroute('**/docs/search.json');
});

it('selects another hit with the arrow keys, and reports that nothing was found', async () => {
  await open('/docs');
  await page.keyboard.press('/');
  await search().fill('vendors');
  await hits().nth(1).waitFor();
  await search().press('ArrowDown');
  const second = await hits().nth(1).getAttribute('id');
  expect(await search().getAttribute('aria-activedescendant')).toBe(second);
  await search().fill('qqqqqqqq');
  await page.getByText('Nothing found for “qqqqqqqq”.').waitFor();
});

it('colors and copies the code of a guide', async () => {
  await open('/docs');
  const block = page.locator('.code', { hasText: 'createClient' });
  const color = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).color);
  expect(await color(block.locator('.hljs-keyword').first())).not.toBe(await color(block.locator('code')));
  await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
  await block.getByRole('button', { name: 'Copy code' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent());
});

it('lists deprecated operations last', async () => {
  await open('/docs/api/work-orders');
  expect(await page.locator('#menu summary').last().textContent()).toBe('Deprecated');
  const titles = await page.locator('.operation h2').allTextContents();
  const isDeprecated = titles.map((title) => title.includes('Deprecated'));
  expect(isDeprecated).toEqual(isDeprecated.toSorted());
  expect(isDeprecated).toContain(true);
});

it('opens the section of an error code from the operations that return it', async () => {
  await open('/docs/api/work-orders#cancelWorkOrder');
  await section('cancelWorkOrder').getByText('Errors', { exact: true }).click();
  await section('cancelWorkOrder').getByRole('link', { name: 'SERVICE_INVALID_TRANSITION' }).first().click();
  await page.waitForURL('**/docs/errors#SERVICE_INVALID_TRANSITION');
});

it('keeps the theme that the reader chose', async () => {
  await open('/docs');
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const before = await background();
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  const after = await background();
  expect(after).not.toBe(before);
  await open('/docs/errors');
  expect(await background()).toBe(after);
});

it('fits a telephone, whose menu opens with a button', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/docs', '/docs/filtering', '/docs/errors', '/docs/api/work-orders']) {
    await open(path);
    expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('link', { name: 'Work Orders', exact: true }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('sends no requests to other servers, and its scripts run without errors', () => {
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});
