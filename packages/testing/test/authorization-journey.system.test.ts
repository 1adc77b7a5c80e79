import { createEngine, startWorker } from '@unified/engine';
import type { Client } from '@unified/sdk';
import type { ManagementClient } from '@unified/sdk/management';
import { createServer } from '@unified/server';
import { applicationSecret, createApplication } from '@unified/store';
import { database } from '@unified/testing';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { openBrowser, openReturnPage, type ReturnPage } from './real-browser.ts';
import { buildUnlessThere, sdkClient } from './sdk-client.ts';
import { START_MS } from './stack.ts';

const stops: (() => unknown)[] = [];
let baseUrl: string;
let tryton: RunningTryton;
let application: { readonly clientId: string; readonly clientSecret: string };
let home: ReturnPage;
let page: Page;

beforeAll(async () => {
  [tryton, baseUrl] = await Promise.all([startTryton(), startService()]);
  stops.push(() => tryton.stop());
  home = await openReturnPage();
  const browser = await openBrowser();
  stops.push(
    () => home.close(),
    () => browser.close(),
  );
  page = await browser.context.newPage();
}, START_MS);

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Starts the service at the address that it publishes, and creates an application. Returns the address. */
async function startService(): Promise<string> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { store, url, stop } = await database();
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const background = { store, databaseUrl: url, log: logger };
  const engine = createEngine(background);
  const worker = await startWorker(background);
  const server = await createServer({ store, engine, logger, publicUrl, port });
  stops.push(
    stop,
    () => engine.close(),
    () => worker.stop(),
    () => server.close(),
  );
  const { id: clientId } = await createApplication(store, 'Northwind Portal');
  application = { clientId, clientSecret: (await applicationSecret(store, clientId)) ?? '' };
  return publicUrl;
}

async function managementClient(): Promise<ManagementClient> {
  await buildUnlessThere();
  const { createManagementClient } = await import('@unified/sdk/management');
  return createManagementClient({ baseUrl, ...application });
}

/** A client that knows only the address of the service and its own credentials. */
function oauthClient(): Promise<Configuration> {
  const { clientId, clientSecret } = application;
  return discovery(new URL(baseUrl), clientId, undefined, ClientSecretBasic(clientSecret), {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  });
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Acts as the end user: chooses Tryton, mistypes the password, corrects it, and authorizes the application. */
async function authorizeInBrowser(address: URL): Promise<void> {
  await page.goto(address.href);
  await heading('Which system do you use?');
  await page.getByRole('button', { name: /Tryton/ }).click();
  await heading('Sign in to Tryton');
  await page.getByLabel('Address').fill(tryton.url);
  await page.getByLabel('Database').fill(tryton.database);
  await page.getByLabel('User').fill(tryton.user);
  await page.getByLabel('Password').fill('wrong');
  await press('Test the connection');
  await heading('Tryton could not be connected');
  await page.getByRole('alert').getByText('The system refuses the user name or the password').waitFor();
  await page.getByText('Tryton refuses the user name or password').waitFor();
  await press('Change the entries');
  expect(await page.getByLabel('User').inputValue()).toBe(tryton.user);
  await page.getByLabel('Password').fill(tryton.password);
  await press('Test the connection');
  await heading('Allow Northwind Portal to use Tryton?');
  await page.getByRole('table', { name: 'Vendors' }).getByText('Acme Supplies').waitFor();
  await press('Allow');
  await page.getByText('Welcome back').waitFor();
}

/** Waits until a call is refused with a code: servers cache tokens for some seconds. */
async function refusedWith(client: Client, code: string): Promise<void> {
  const call = () =>
    client.vendors.list().then(
      () => 'accepted',
      (error) => error.code,
    );
  await expect.poll(call, { interval: 500 }).toBe(code);
}

it('an application gets access to a running Tryton, uses it, and loses it', async () => {
  const management = await managementClient();
  const { redirectUri } = home;
  const { clientId } = application;
  await management.POST('/clients/{clientId}/redirect-uris', {
    ...{ params: { path: { clientId } }, body: { uri: redirectUri } },
  });

  const oauth = await oauthClient();
  const [pkceCodeVerifier, expectedState] = [randomPKCECodeVerifier(), randomState()];
  const challenge = await calculatePKCECodeChallenge(pkceCodeVerifier);
  await authorizeInBrowser(
    buildAuthorizationUrl(oauth, {
      ...{ redirect_uri: redirectUri, state: expectedState },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }),
  );
  const [back = new URL(redirectUri)] = home.returned;
  const tokens = await authorizationCodeGrant(oauth, back, { pkceCodeVerifier, expectedState });

  const client = await sdkClient(baseUrl, tokens.access_token);
  const copied = async () => {
    const { data } = await client.vendors.list({ filter: { code: 'V001' } });
    expect(data.map(({ name }) => name)).toEqual(['Acme Supplies']);
  };
  await vi.waitFor(copied, { timeout: 100_000, interval: 500 });

  const [connection] = (await management.connections.list()).data;
  expect(connection).toMatchObject({ platform: 'tryton', status: 'active' });
  const setActive = (isActive: boolean) =>
    management.PUT('/connections/{id}/active', {
      ...{ params: { path: { id: connection?.id ?? '' } }, body: { isActive } },
    });
  await setActive(false);
  await refusedWith(client, 'SERVICE_CONNECTION_INACTIVE');
  await setActive(true);
  await vi.waitFor(copied, { timeout: 60_000, interval: 500 });

  await tokenRevocation(oauth, tokens.refresh_token ?? '');
  await refusedWith(client, 'SERVICE_UNAUTHORIZED');
  await expect(refreshTokenGrant(oauth, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
});
