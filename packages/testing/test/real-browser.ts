import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  // Shared memory of a container is often 64 MB, which large pages exceed; then they crash.
  '--disable-dev-shm-usage',
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Milliseconds that a page may take; generous, because the machine may be busy. */
const PATIENCE_MS = 100_000;

/** Chromium with an empty profile, in English. */
export interface RealBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<RealBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, locale: 'en-US' });
  context.setDefaultTimeout(PATIENCE_MS);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** The page of an application to which end users return; it shows "Welcome back". */
export interface ReturnPage {
  readonly redirectUri: string;
  /** Addresses with which browsers returned, in order. */
  readonly returned: readonly URL[];
  close(): void;
}

export async function openReturnPage(): Promise<ReturnPage> {
  const returned: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (url.pathname === '/callback') returned.push(url);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Back</title>Welcome back');
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/callback`, returned, close: () => void server.close() };
}
