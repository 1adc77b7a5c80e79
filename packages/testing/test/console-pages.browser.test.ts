import { createSignInLink, listConnections } from '@unified/store';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FurnishedConsole, furnishConsole } from './furnished-console.ts';
import { inspect as inspectPage, picture } from './page-inspection.ts';
import { openBrowser, type RealBrowser } from './real-browser.ts';
import { type Company, START_MS, startCompany } from './served-company.ts';
import { watchPage } from './watched-page.ts';

// A page is laid out six times and checked twice, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const PASSWORD = 'correct horse battery staple';
/** More rows than a window shows, and far fewer than the list has. */
const MOST_ROWS = 200;
/** The main part of a page scrolls, but only vertically. */
const OVERFLOWING = `[...document.querySelectorAll('main')]
  .filter((main) => main.scrollWidth > main.clientWidth)
  .map((main) => main.innerText.slice(0, 80))`;

let company: Company;
let browser: RealBrowser;
let page: Page;
let furnished: FurnishedConsole | undefined;
let connectionId: string;
let root: string;
/** Faults that pages reported. */
let faults: readonly string[];

beforeAll(async () => {
  company = await startCompany();
  const connections = await listConnections(company.store);
  connectionId = connections.find(({ name }) => name === 'Company')?.id ?? '';
  root = `${company.baseUrl}/console`;
  browser = await openBrowser();
  page = await browser.context.newPage();
  const isOwn = (url: string) => url.startsWith(company.baseUrl) || url.startsWith('blob:');
  // Without a session, the session is a response of status 401. One test saves a mapping that is refused.
  const isExpected = (message: string) =>
    message.includes('status of 401') ||
    message.includes('ERR_INTERNET_DISCONNECTED') ||
    /status of 400 .*\/field-mappings\/Vendor$/.test(message);
  faults = watchPage(page, isOwn, isExpected);
}, START_MS);
afterAll(async () => {
  await browser.close();
  furnished?.stop();
  await company.stop();
});

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const open = (path: string) => page.goto(`${root}${path}`);

/** Pages whose pictures are in docs/console.md. */
const PICTURED = [
  'start',
  'connection',
  'record',
  'write-form',
  'write',
  'mappings',
  'studio',
  'query-result',
  'approvals',
  'audit',
];

async function inspect(name: string): Promise<void> {
  await inspectPage(page, `console-${name}`, { misplaced: OVERFLOWING });
  if (PICTURED.includes(name)) await picture(page, name);
}

it('sends people without a session to the sign-in page', async () => {
  await open('');
  await heading('Sign in');
  await page.getByText('No operator exists yet').waitFor();
  await inspect('sign-in');
});

it('creates the first operator with the one-time link', async () => {
  const { token } = await createSignInLink(company.store, null);
  await open(`/first-sign-in#${token}`);
  await page.getByLabel('Your name').fill('Maria Lindgren');
  await page.getByLabel('Email address').fill('maria@northwind.example');
  await page.getByLabel('New password').fill(PASSWORD);
  await inspect('first-sign-in');
  await button('Continue').click();
  await heading('Start');
  // Other operators exist only from now on.
  furnished = await furnishConsole(company, connectionId);
});

it('runs the first call', async () => {
  await page.getByText('All tables are copied.').first().waitFor();
  await button('Run it: List Vendors').click();
  await page.getByRole('region', { name: 'Response' }).getByText('"code": "V-1001"').waitFor();
  await inspect('start');
});

/** Pages with their title, and a text that is shown when the page is complete. */
const PAGES: readonly (readonly [name: string, path: string, title: string, complete: string])[] = [
  ['connections', '/connections', 'Connections', 'Healthy'],
  ['connection', '/connections/$connection', 'Northwind Manufacturing', 'Data warehouse'],
  ['records', '/connections/$connection/records', 'Records', 'Vendors'],
  ['list', '/connections/$connection/records/WorkOrder', 'Work Orders', 'statusCategory'],
  ['record', '/connections/$connection/records/Vendor/$vendor', 'Vendors', 'lief.name1'],
  ['record-history', '/connections/$connection/records/Vendor/$vendor?panel=history', 'Vendors', 'updateVendor'],
  ['record-raw', '/connections/$connection/records/Vendor/$vendor?panel=raw', 'Vendors', 'zahlbed'],
  ['writes', '/connections/$connection/writes', 'Writes', 'createVendor'],
  ['write', '/connections/$connection/writes/$write', 'updateVendor', 'Store the record'],
  ['mappings', '/connections/$connection/mappings?entity=Vendor', 'Mappings', 'Difference from the active revision'],
  ['studio', '/connections/$connection/mappings/Vendor', 'Mapping of Vendors', 'suchbegr'],
  ['query', '/connections/$connection/query', 'Query', 'Statement'],
  ['data-mappings', '/connections/$connection/data-mappings', 'Identifiers', 'Vendors'],
  ['approvals', '/approvals', 'Approvals', 'update_vendor'],
  ['policy', '/policy', 'Policy', 'Changes are checked'],
  ['webhooks', '/webhooks', 'Webhooks', '/events'],
  ['requests', '/requests', 'Requests', 'GET /v4/connections'],
  ['audit', '/audit', 'Audit log', 'Maria Lindgren'],
  ['access', '/access', 'Access', 'Create a secret'],
  ['support', '/support', 'Support', 'A write remains unknown'],
  ['sessions', '/sessions', 'Sessions', 'This browser'],
  ['password', '/password', 'Password', 'Current password'],
  ['operators', '/operators', 'Operators', 'Tomas Berg'],
];

it.each(PAGES)('%s can be used at every width, in both themes', async (name, path, title, complete) => {
  const { vendor, writeId } = furnished ?? {};
  const ids = { $connection: connectionId, $vendor: vendor?.id, $write: writeId };
  await open(path.replaceAll(/\$\w+/g, (id) => ids[id as keyof typeof ids] ?? id));
  await heading(title);
  await page.getByRole('main').getByText(complete).first().waitFor();
  await inspect(name);
});

it.each([
  ['add-connection', '/connections', 'Connect a system', 'For which customer?'],
  ['issue-token', '/connections/$connection', 'Issue a token', 'Valid for'],
  ['create-record', '/connections/$connection/records/Vendor', 'Create', 'legalName'],
  ['add-webhook', '/webhooks', 'Add an address', 'Events'],
  ['start-data-mapping', '/connections/$connection/data-mappings', 'Start a data mapping', 'Kind of record'],
  ['add-rule', '/policy', 'Add a rule', 'Effect'],
  ['ask-support', '/support', 'Ask a question', 'Subject'],
  ['invite', '/operators', 'Invite an operator', 'Role'],
])('the dialog %s can be used at every width, in both themes', async (name, path, label, complete) => {
  await open(path.replace('$connection', connectionId));
  await page.getByRole('main').getByRole('button', { name: label, exact: true }).first().click();
  await page.getByRole('dialog').getByText(complete).first().waitFor();
  await inspect(name);
});

it('shows what a change of a mapping would do, and at which field it is refused', async () => {
  await open(`/connections/${connectionId}/mappings/Vendor`);
  const legalName = page.getByRole('textbox', { name: /^legalName/ });
  await legalName.fill('name1');
  await button('Preview').click();
  await page.getByText(/records would change/).waitFor();
  await inspect('studio-preview');
  await legalName.fill('nmae1');
  await button('Save as a draft').click();
  await page.getByText('Did you mean "name1"?').first().waitFor();
  expect(await legalName.getAttribute('aria-invalid')).toBe('true');
});

it('completes tables and fields of a statement, and shows numbers as bars', async () => {
  await open(`/connections/${connectionId}/query`);
  const statement = page.getByLabel('Statement');
  await statement.fill('select currency.code as currency, count(*) as vendors from vendo');
  await page.getByRole('option', { name: 'vendors' }).waitFor();
  await statement.press('ArrowDown');
  await statement.press('Enter');
  await statement.pressSequentially(' group by currency.co');
  await page.getByRole('option', { name: 'code' }).click();
  await statement.press('Control+Enter');
  await page.getByRole('list', { name: 'vendors' }).getByText('EUR').waitFor();
  await page.getByRole('table', { name: 'Query' }).waitFor();
  await inspect('query-result');
});

it('shows in a dry run what a write would do', async () => {
  await open(`/connections/${connectionId}/records/Vendor/${furnished?.vendor.id}`);
  await page.getByRole('complementary').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Update a vendor' }).click();
  await page.getByLabel(/^terms/).fill('Net 60');
  await button('Check with a dry run').click();
  await page.getByText('Nothing has been sent').waitFor();
  await inspect('write-form');
});

it('the navigation opens on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/approvals');
  await button('Menu').click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await heading('Audit log');
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('keeps only the visible rows of a long list in the page', async () => {
  await open(`/connections/${connectionId}/records/WorkOrder`);
  await page.getByRole('cell').first().waitFor();
  const last = await page.getByRole('table').getAttribute('aria-rowcount');
  await page.evaluate(`document.querySelector('[role=table]').parentElement.scrollTop = 1_000_000`);
  await page.locator(`[role=row][aria-rowindex="${last}"] a`).first().waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(MOST_ROWS);
});

it('keeps what it shows while the service cannot be reached, and continues afterwards', async () => {
  await open(`/connections/${connectionId}/records/Vendor`);
  const vendor = page.getByRole('link', { name: 'V-1001', exact: true });
  await vendor.waitFor();
  await browser.context.setOffline(true);
  const notice = page.getByText('The service is not responding.');
  await notice.waitFor();
  await vendor.waitFor();
  await browser.context.setOffline(false);
  await notice.waitFor({ state: 'detached' });
});

it('shows the connection that was last opened or chosen on pages of no connection, in every part', async () => {
  const navigation = page.getByRole('navigation');
  for (const name of [/^Tests/, /^Northwind Manufacturing/]) {
    await open('/connections');
    await page.getByRole('main').getByRole('link', { name }).click();
    await heading(name);
    await navigation.getByRole('link', { name: 'Audit log' }).click();
    await heading('Audit log');
    await navigation.getByRole('heading', { name }).waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: new RegExp(name.source.slice(1)) })
      .waitFor();
  }
});

it('speaks German on request, and signs out', async () => {
  await button(/^Account/).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Datensätze', exact: true }).waitFor();
  await button(/^Konto/).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await heading('Anmelden');
});

it('no page broke its policy, failed, or loaded anything from elsewhere', () => {
  expect(faults).toEqual([]);
});
