import { join } from 'node:path';
import { addSandboxPlatform } from '@unified/sandbox';
import { addRedirectUri, createApplication, setClientSetting } from '@unified/store';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { pino } from 'pino';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCompany } from '../../sandbox/test/company-database.ts';
import { type EmbeddingSite, startSite } from './embedding-site.ts';
import { expectAccessible, THEMES, WIDTHS } from './page-inspection.ts';
import { openBrowser, type RealBrowser } from './real-browser.ts';

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 100_000;
const CUSTOMER = '0199d2a4-7b10-7c21-8a55-90c1d2e3f4a5';

addSandboxPlatform();

const stops: (() => Promise<unknown>)[] = [];
/** Errors of scripts and policies. */
const errors: string[] = [];
/** Lines that the server has logged. */
const logged: string[] = [];

let api: TestApi;
let app: TestApplication;
let systemUrl: string;
let portal: EmbeddingSite;
let stranger: EmbeddingSite;
let browser: RealBrowser;
let page: Page;

beforeAll(async () => {
  const system = await startCompany();
  systemUrl = system.url;
  api = await startApi({
    limiter: { count: async () => ({ used: 1, reset: 60 }) },
    logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
  });
  [portal, stranger] = [await startSite(), await startSite()];
  const { id } = await createApplication(api.store, 'Northwind Portal');
  const scope = api.store.application(id);
  await addRedirectUri(scope, id, `${portal.origin}/callback`);
  const appearance = { primaryColor: '#0a5c8f', supportUrl: 'https://northwind.example/help', termsUrl: null };
  await setClientSetting(scope, id, { name: 'whitelabel', value: { productName: null, logoUrl: null, ...appearance } });
  app = await api.signIn(id);
  browser = await openBrowser();
  stops.push(
    () => browser.close(),
    () => portal.stop(),
    () => stranger.stop(),
    () => api.stop(),
    () => system.stop(),
  );
}, 600_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

beforeEach(async () => {
  errors.length = 0;
  logged.length = 0;
  page = await browser.context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // Forms with errors are responses of status 422, ended sessions of 410. The number alone could be part of a port.
    if (message.type() === 'error' && !/status of 4(22|10)\b/.test(message.text())) errors.push(message.text());
  });
  return () => page.close();
});

const manage = (method: string, path: string, json: object) =>
  api.fetch<{ data: Readonly<Record<string, string>> }>(`/v4${path}`, { method, token: app.token, json });

/** The address of a new session on this server. */
async function sessionUrl(): Promise<string> {
  const { body } = await manage('POST', '/embed/sessions', { endCustomerId: CUSTOMER });
  const { pathname, search, hash } = new URL(body.data.url ?? '');
  return api.baseUrl + pathname + search + hash;
}

const inner = () => page.frameLocator('dialog iframe');
/** Waits for something. If it does not happen, the failure contains the page in the dialog, errors and the log of the server. */
async function orShown(missing: string, happened: PromiseLike<unknown>): Promise<void> {
  try {
    await happened;
  } catch (cause) {
    const shown = await inner().locator('body').textContent({ timeout: 1_000 }).catch(String);
    throw new Error([`${missing}. The dialog shows:`, shown, ...errors, ...logged].join('\n'), { cause });
  }
}

/** Waits for the page with this heading. */
const heading = (name: string | RegExp) =>
  orShown(`There is no page "${name}"`, inner().getByRole('heading', { level: 1, name }).waitFor());

/**
 * Presses a button of the frame by a script. After a change of the window's width, the browser can send a click of the mouse to
 * where the frame was before (1 of 400 was lost), without an error.
 */
async function press(name: string | RegExp): Promise<void> {
  const button = inner().getByRole('button', { name, exact: typeof name === 'string' });
  // Waits until a click would reach it.
  await button.click({ trial: true });
  await button.dispatchEvent('click');
}
const events = () => page.evaluate<unknown[]>('events');
/** Waits until the page has reported these events. */
const expectEvents = (expected: readonly unknown[]) =>
  orShown('The events are missing', expect.poll(events, { timeout: PATIENCE_MS }).toEqual(expected));
/**
 * What has happened after Escape. A key that is pressed while the browser passes the focus to another process is lost. One that
 * removes the frame with the focus may never be acknowledged, so it is not awaited.
 */
function afterEscape(): Promise<unknown[]> {
  page.keyboard.press('Escape').catch(() => {});
  return events();
}
const at = ({ origin }: EmbeddingSite, url: string, more = '') => `${origin}/?${new URLSearchParams({ url })}${more}`;

/** Opens a page of the portal, and the dialog. */
async function openDialog(url: string): Promise<void> {
  await page.goto(at(portal, url));
  await page.getByRole('button', { name: 'Connect' }).click();
}

function innerFrame(): Frame {
  const [found] = page.frames().filter((frame) => frame.url().startsWith(api.baseUrl));
  if (!found) throw new Error('The frame shows no page of the service.');
  return found;
}

/** Checks the dialog in both themes and all widths. SCREENSHOTS names a folder for screenshots. */
async function inspect(name: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await resize(width);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect([
        name,
        width,
        await innerFrame().evaluate<number>(overflow),
        await page.evaluate<number>(overflow),
      ]).toEqual([name, width, 0, 0]);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: join(folder, `embedded-${name}-${width}-${colorScheme}.png`) });
      for (const frame of [page.mainFrame(), innerFrame()]) await expectAccessible(frame, [name, width, colorScheme]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(WIDTHS[0]);
}

/** Changes the width of the window, and waits until the frame has its new size. */
async function resize(width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const outer = await page.evaluate<number>(`document.querySelector('dialog iframe').clientWidth`);
  await expect.poll(() => innerFrame().evaluate<number>('innerWidth'), { timeout: PATIENCE_MS }).toBe(outer);
}

/** Resolves in the page once the tasks that are already queued there have run. */
const NEXT_TASK = `new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(0);
})`;

describe('a page in a dialog of the application', () => {
  it('connects a system, without navigation, and returns to where the user was', async () => {
    await openDialog(await sessionUrl());
    await page.getByRole('dialog', { name: 'Connect your system' }).waitFor();
    await heading('Which system do you use?');
    const history = await page.evaluate<number>('history.length');
    expect(innerFrame().url()).not.toContain('#');
    await inspect('1-choose');
    await inner().getByRole('searchbox', { name: 'Search for a system' }).fill('sandbox');
    await press(/Sandbox company/);
    await heading('Sign in to Sandbox company');
    await inspect('2-sign-in');
    await press('Test the connection');
    await inner().getByRole('alert').getByText('Please correct your entries').waitFor();
    await inspect('3-missing');
    await inner().getByLabel('Connection string').fill(systemUrl);
    await press('Test the connection');
    await heading('Allow Northwind Portal to use Sandbox company?');
    await inspect('4-allow');
    await press('Allow');
    await expectEvents([{ success: { connectionId: expect.any(String) } }]);
    expect(await page.locator('dialog').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('connect');
    expect(await page.evaluate<number>('history.length')).toBe(history);
    expect(errors).toEqual([]);
  }, 600_000);

  it('can be cancelled, and closed by its button and by its caller', async () => {
    await openDialog(await sessionUrl());
    await press('Cancel');
    await expectEvents([{ exit: { reason: 'cancelled' } }]);
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await events()).toEqual([{ exit: { reason: 'dismissed' } }]);
    await openDialog(await sessionUrl());
    await page.evaluate('link.close(), link.close()');
    expect(await events()).toEqual([{ exit: { reason: 'dismissed' } }]);
  });

  it('keeps the keyboard, and is closed by Escape inside and outside of the frame', async () => {
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    const focused = new Set<string>();
    const pressTab = async () => {
      await page.keyboard.press('Tab');
      const name = await page.evaluate<string>('document.activeElement.id || document.activeElement.tagName');
      focused.add(name);
      return name;
    };
    // Once around. The browser passes the focus from one process to another, which can take a few key presses.
    for (const name of ['BUTTON', 'IFRAME', 'BUTTON'])
      await expect.poll(pressTab, { timeout: PATIENCE_MS, interval: 1 }).toBe(name);
    expect([...focused].filter((name) => ['before', 'connect', 'after'].includes(name))).toEqual([]);
    await inner().getByRole('button', { name: 'Cancel' }).focus();
    await expect.poll(afterEscape, { timeout: PATIENCE_MS }).toEqual([{ exit: { reason: 'dismissed' } }]);
    await openDialog(await sessionUrl());
    await page.getByRole('button', { name: 'Close' }).focus();
    await expect.poll(afterEscape, { timeout: PATIENCE_MS }).toEqual([{ exit: { reason: 'dismissed' } }]);
  });

  it('is not shown again with the same address', async () => {
    const url = await sessionUrl();
    await openDialog(url);
    await heading('Which system do you use?');
    await openDialog(url);
    await heading('This page has expired');
    await inspect('5-expired');
    await inner().getByRole('heading').focus();
    await expect.poll(afterEscape, { timeout: PATIENCE_MS }).toEqual([{ exit: { reason: 'ended' } }]);
    await openDialog(url);
    // The frame runs in another process: what it shows may be visible before its message has arrived.
    await expect.poll(() => page.evaluate('messages'), { timeout: PATIENCE_MS }).toContain('ended');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await events()).toEqual([{ exit: { reason: 'ended' } }]);
  });

  it('ends while it is open when the application sets its kill switch', async () => {
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    await manage('PUT', '/embed/kill-switch', { isActive: true, reason: 'Maintenance until noon' });
    await inner().getByText('Maintenance until noon').waitFor();
    await inspect('6-closed');
    await manage('PUT', '/embed/kill-switch', { isActive: false });
  });
});

describe('the frame', () => {
  /** Whether the browser refuses to show the page of the service, and the token of the page was not used. */
  async function isRefused(url: string): Promise<boolean> {
    await expect
      .poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:')), { timeout: PATIENCE_MS })
      .toBe(true);
    return opens(url);
  }

  /** Whether the token was not used. */
  async function opens(url: string): Promise<boolean> {
    const { pathname, hash } = new URL(url);
    const body = new URLSearchParams({ token: hash.slice(1) });
    return (await fetch(`${api.baseUrl}${pathname}/open`, { method: 'POST', body })).status === 200;
  }

  /** The address without the origin: with the origin, the loader would refuse it before the browser does. */
  const withoutOrigin = (url: string) => Object.assign(new URL(url), { search: '' }).href;

  it('is known to a page of another origin, which shows no frame, and reports both in the console', async () => {
    const url = await sessionUrl();
    await page.goto(at(stranger, url, '&now'));
    await expectEvents([{ exit: { reason: 'unavailable' } }]);
    const explanation = `for pages of ${portal.origin}; this page has the origin ${stranger.origin}`;
    await expect.poll(() => errors.join(), { timeout: PATIENCE_MS }).toContain(explanation);
    expect(page.frames().filter((frame) => frame.url().includes('/oauth/embed/'))).toEqual([]);
    expect(await opens(url)).toBe(true);
  });

  it('is refused in a page of another origin, which learns that it is not available', async () => {
    const url = withoutOrigin(await sessionUrl());
    await page.goto(at(stranger, url, '&now'));
    expect(await isRefused(url)).toBe(true);
    await expectEvents([{ exit: { reason: 'unavailable' } }]);
  });

  it('is refused in a page of the right origin that another one embeds', async () => {
    const url = await sessionUrl();
    await page.goto(`${stranger.origin}/outer?${new URLSearchParams({ src: at(portal, url, '&now') })}`);
    expect(await isRefused(url)).toBe(true);
  });

  it('is refused in a page with the origin null', async () => {
    const url = withoutOrigin(await sessionUrl());
    const src = at(portal, url, '&now');
    await page.goto(`${portal.origin}/outer?${new URLSearchParams({ src, sandbox: 'allow-scripts' })}`);
    expect(await isRefused(url)).toBe(true);
  });

  it('is needed: the address shows nothing in a window of its own', async () => {
    await page.goto(await sessionUrl());
    await page.getByText('It can be opened only in the application that you came from.').waitFor();
  });
});

describe('messages', () => {
  const success = { service: 'unified-embed', version: 1, event: 'success', connectionId: CUSTOMER };

  it('are ignored if they do not come from the frame', async () => {
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    const forged = JSON.stringify(success);
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', resolve, { once: true });
      postMessage(${forged}, '*');
    })`);
    // Sent from another frame, with the origin of the service in the wrong place, and from this page.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', resolve, { once: true });
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.contentWindow.parent.postMessage({ ...${forged}, origin: ${JSON.stringify(api.baseUrl)} }, '*');
    })`);
    expect(await events()).toEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('of other versions and services are ignored', async () => {
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    for (const changed of [{ version: 2 }, { service: 'other' }, { version: '1' }]) {
      const message = JSON.stringify({ ...success, ...changed });
      // The page listens before its frame sends, since they can run in different processes.
      await page.evaluate(`globalThis.received = new Promise((resolve) => {
        addEventListener('message', () => resolve(), { once: true });
      }); undefined`);
      await innerFrame().evaluate(`parent.postMessage(${message}, '*')`);
      await page.evaluate('globalThis.received');
    }
    expect(await events()).toEqual([]);
    await innerFrame().evaluate(`parent.postMessage(${JSON.stringify(success)}, '*')`);
    await expectEvents([{ success: { connectionId: CUSTOMER } }]);
  });

  it('reach only the origin of the session, and the page receives none', async () => {
    await openDialog(await sessionUrl());
    await heading('Which system do you use?');
    await page.evaluate(
      `document.querySelector('iframe').contentWindow.postMessage({ service: 'unified-embed', version: 1, event: 'exit' }, '*')`,
    );
    await innerFrame().evaluate(NEXT_TASK);
    expect(await events()).toEqual([]);
    const target = await innerFrame().evaluate<string>('document.body.dataset.embedder');
    expect(target).toBe(portal.origin);
  });
});
