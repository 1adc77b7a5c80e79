import { issueConnectionToken, listConnections, savePolicySettings } from '@unified/store';
import { checkedFetch, database, mcpUser, type TestDatabase } from '@unified/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { connectMcpClient, type McpClient } from './mcp-client.ts';
import { openBrowser, type RealBrowser } from './real-browser.ts';
import { START_MS } from './stack.ts';
import { type StartedProcess, startProcess } from './started-process.ts';
import { watchPage } from './watched-page.ts';

const PASSWORD = 'correct horse battery staple';

let tryton: RunningTryton;
let installation: TestDatabase;
let service: StartedProcess;
let publicUrl: string;
let browser: RealBrowser;
let page: Page;
let faults: readonly string[];

beforeAll(async () => {
  [tryton, [installation, service, publicUrl]] = await Promise.all([startTryton(), startFirst()]);
  browser = await openBrowser();
  page = await browser.context.newPage();
  faults = watchPage(
    page,
    (url) => url.startsWith(publicUrl),
    (message) => message.includes('status of 401'),
  );
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await service?.kill();
  await installation?.stop();
  await tryton?.stop();
});

/** Starts the service for the first time, at the address that it publishes. */
async function startFirst(): Promise<[TestDatabase, StartedProcess, string]> {
  const base = await database();
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  return [base, await startProcess(base, 'all', { PORT: port, PUBLIC_URL: address }), address];
}

const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const main = () => page.getByRole('main');

/** The connection that was made in the browser. */
async function connection() {
  const [found] = await listConnections(installation.store);
  if (!found) throw new Error('Nothing is connected.');
  return found;
}

/** The vendor that is changed, as the API returns it. */
async function vendors(): Promise<readonly { readonly name: string }[]> {
  const { id: connectionId } = await connection();
  const { token } = await issueConnectionToken(installation.store, { connectionId });
  const headers = { Authorization: `Bearer ${token}` };
  const { body } = await checkedFetch<{ data: { name: string }[] }>(`${publicUrl}/v4/vendors?code=V001`, { headers });
  return body.data;
}

it('first start: the printed link creates the first operator, who is signed in', async () => {
  const address = service.lines().find((line) => line.includes('/console/first-sign-in#'));
  await page.goto(address?.trim() ?? '');
  await heading('Welcome');
  await page.getByLabel('Your name').fill('Maria Lindgren');
  await page.getByLabel('Email address').fill('maria@northwind.example');
  await page.getByLabel('New password').fill(PASSWORD);
  await button('Continue').click();
  await heading('Start');
});

it('sign in: with the password, after signing out', async () => {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in');
  await page.getByLabel('Email address').fill('maria@northwind.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await button('Sign in').click();
  await heading('Start');
});

it('connect running Tryton, on the authorization page', async () => {
  await main().getByRole('link', { name: 'Connect a system' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Which system do you want to connect?').selectOption({ label: 'Tryton' });
  await dialog.getByLabel('Name of the customer').fill('Northwind Manufacturing');
  const opened = browser.context.waitForEvent('page');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const form = await opened;
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByLabel('Address').fill(tryton.url);
  await form.getByLabel('Database').fill(tryton.database);
  await form.getByLabel('User').fill(tryton.user);
  await form.getByLabel('Password').fill(tryton.password);
  await form.getByRole('button', { name: 'Test the connection', exact: true }).click();
  await form.getByRole('table', { name: 'Vendors' }).getByText('Acme Supplies').waitFor();
  await form.getByRole('button', { name: 'Allow', exact: true }).click();
  await form.getByText('You can close this window.').waitFor();
  await form.close();
  await page.getByText('The system is connected.').waitFor();
});

it('watch the sync: the page of the connection shows its progress until all is copied', async () => {
  await page.getByRole('dialog').getByRole('link', { name: 'Watch the first copy' }).click();
  await main()
    .getByText(/tables copied|All tables are copied/)
    .first()
    .waitFor();
  await main().getByText('All tables are copied.').waitFor();
});

it('find a vendor: by a filter that reads like that of the API', async () => {
  await link('Records').click();
  await main().getByRole('link', { name: 'Vendors', exact: true }).click();
  await heading('Vendors');
  await button('+ Filter').click();
  await page.getByLabel('Value').fill('Acme');
  await button('Apply').click();
  await page.getByText('filter[name:contains]=Acme').waitFor();
  await link('V001').click();
  await page.getByRole('complementary').getByText('party.party.name = "Acme Supplies"').waitFor();
});

it('change it: a dry run shows the steps, then Tryton has the value', async () => {
  await page.getByRole('complementary').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Update a vendor' }).click();
  await page.getByLabel(/^phone/).fill('+49 40 123456');
  await button('Check with a dry run').click();
  await page.getByText('Nothing has been sent').waitFor();
  await button('Send to the connected system').click();
  await heading('updateVendor');
});

it("see the write's steps: with times, and the calls of Tryton", async () => {
  for (const step of ['Update', 'Read back', 'Store the record'])
    await main().getByRole('listitem').filter({ hasText: step }).getByText('Succeeded').waitFor();
  await main().getByRole('table', { name: 'Calls to the connected system' }).waitFor();
  const phones = await tryton.rpc.search('party.contact_mechanism', [['value', '=', '+49 40 123456']]);
  expect(phones).toHaveLength(1);
});

it('roll a mapping back: a wrong expression is activated in the editor, and the earlier revision activated again', async () => {
  await link('Mappings').click();
  await page.getByLabel('Kind of record').selectOption({ label: 'Vendors' });
  await link('Edit the mapping').click();
  await main().getByRole('textbox', { name: /^name/ }).fill('code');
  await page.getByLabel('Reason').fill('By mistake');
  await button('Preview').click();
  await main()
    .getByText(/records would change/)
    .waitFor();
  await button('Save and activate').click();
  await main().getByText('By mistake').waitFor();
  const names = async () => (await vendors()).map(({ name }) => name);
  await expect.poll(names).toEqual(['V001']);
  await button('Activate this revision').click();
  await expect.poll(names).toEqual(['Acme Supplies']);
});

it('issue a token and use it', async () => {
  await link('Overview').click();
  await button('Issue a token').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Purpose').fill('Reporting');
  await dialog.getByRole('button', { name: 'Issue a token' }).click();
  const token = (await dialog.getByRole('region', { name: 'Your token' }).textContent()) ?? '';
  const response = await fetch(`${publicUrl}/v4/vendors?code=V001`, {
    headers: { Authorization: `Bearer ${token.trim()}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: [{ name: 'Acme Supplies', phone: '+49 40 123456' }] });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

it("approve an agent's proposal: the agent carries it out, and Tryton has it", async () => {
  const { call } = await agent();
  const proposed = await call('propose', {
    ...{ platform: 'tryton', tool: 'create_vendor', arguments: { body: { name: 'Agent Supplies' } } },
  });
  const { id: accessRequestId } = proposed.value.accessRequest as { readonly id: string };
  await link('Approvals').click();
  await main().getByText('Agent Supplies').first().waitFor();
  await button('Approve').click();
  await page.getByText('Nothing to decide').waitFor();
  expect(await call('execute', { accessRequestId })).toMatchObject({ isError: false });
  const parties = await tryton.rpc.search('party.party', [['name', '=', 'Agent Supplies']]);
  expect(parties).toHaveLength(1);
});

/** An agent of the customer, whose new records need an approval. */
async function agent(): Promise<McpClient> {
  const { applicationId, endCustomerId } = await connection();
  const { store } = installation;
  const user = await mcpUser(store, { applicationId, endCustomerId: endCustomerId ?? '', platform: 'tryton' });
  await savePolicySettings(user.customer, { rules: [{ tool: 'create_*', effect: 'ask', name: 'New records' }] });
  return connectMcpClient({ baseUrl: publicUrl, publicUrl, credentials: user });
}

it('no page broke its policy, failed, or loaded anything from elsewhere', () => {
  expect(faults).toEqual([]);
});
