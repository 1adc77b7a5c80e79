import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as Sdk from '../src/index.ts';
import { type Arrived, answering, type Reply } from './answering-server.ts';
import { type InstalledPackage, installedPackage } from './installed-package.ts';
import { failure, page as pageOf, vendor, write } from './records.ts';

const IMPORTS = { '@unified/sdk': '/node_modules/@unified/sdk/dist/index.js' };
const HTML = `<!doctype html><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">import * as sdk from '@unified/sdk'; globalThis.sdk = sdk;</script>`;
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

declare const sdk: typeof Sdk;

let installed: InstalledPackage;
let site: Server;
let origin: string;
let profile: string;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  installed = await installedPackage();
  site = await serve(installed.folder);
  profile = await mkdtemp(join(tmpdir(), 'sdk-browser-'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS });
});

afterAll(async () => {
  await browser?.close();
  site?.close();
  await installed?.remove();
  if (profile) await rm(profile, { recursive: true, force: true });
});

beforeEach(async () => {
  page = await browser.newPage();
  // Generous, because the machine may be busy.
  page.setDefaultTimeout(100_000);
  await page.goto(origin);
  await page.waitForFunction(() => 'sdk' in globalThis);
  return () => page.close();
});

describe('the packed package in a browser, against a service of another origin', () => {
  it('lists all records', async () => {
    const server = await answering(allowing(pageOf([vendor('1')], 'c2'), pageOf([vendor('2')])));
    const names = await page.evaluate(async (baseUrl) => {
      const found: string[] = [];
      const client = sdk.createClient({ baseUrl, token: 'token' });
      for await (const { name } of client.vendors.list({ filter: { name: { contains: 'V&' } } })) found.push(name);
      return found;
    }, server.url);
    expect(names).toEqual(['Vendor 1', 'Vendor 2']);
    expect(requests(server.arrived)[0]?.query.get('filter[name:contains]')).toBe('V&');
  });

  it('repeats a write with its key after a failure and a renewed token, then follows it', async () => {
    const server = await answering(
      allowing(
        failure(401, 'SERVICE_UNAUTHORIZED'),
        failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '3' }),
        { status: 202, json: write('pending') },
        { json: write('succeeded', { result: { id: '7' } }) },
        { json: { data: vendor('7') } },
      ),
    );
    const { name, waits } = await page.evaluate(async (baseUrl) => {
      const waits: number[] = [];
      const delay = async (milliseconds: number) => void waits.push(milliseconds);
      let asked = 0;
      const client = sdk.createClient({ baseUrl, token: async () => `token-${++asked}`, delay });
      return { name: (await client.vendors.create({ name: 'ACME' })).name, waits };
    }, server.url);
    expect(name).toBe('Vendor 7');
    expect(waits).toEqual([expect.toSatisfy((wait) => wait >= 3000)]);
    const posts = requests(server.arrived).filter(({ method }) => method === 'POST');
    expect(posts.map(({ body }) => body)).toEqual(Array(3).fill({ name: 'ACME' }));
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(posts.map(({ headers }) => headers.authorization)).toEqual(
      ['token-1', 'token-2', 'token-2'].map((token) => `Bearer ${token}`),
    );
  });

  it('accepts a path as the address of a proxy on the same server', async () => {
    const asked = await page.evaluate(async () => {
      const urls: string[] = [];
      const fetch = async ({ url }: Request) => {
        urls.push(url);
        return Response.json({ data: {} });
      };
      await sdk.createClient({ baseUrl: '/api', token: 'token', fetch }).vendors.get('1');
      return urls;
    });
    expect(asked).toEqual([`${origin}api/v4/vendors/1`]);
  });

  it('rejects with a ServiceError, and with the reason of an aborted call', async () => {
    const server = await answering(allowing(failure(404, 'SERVICE_NOT_FOUND', { 'X-Request-Id': 'r1' })));
    const outcome = await page.evaluate(async (baseUrl) => {
      const client = sdk.createClient({ baseUrl, token: 'token' });
      const error = await client.vendors.get('1').catch((reason) => reason);
      const aborted = await client.vendors.get('1', { signal: AbortSignal.abort() }).catch((reason) => reason);
      return {
        known: error instanceof sdk.ServiceError,
        code: error.code,
        requestId: error.requestId,
        aborted: aborted.name,
      };
    }, server.url);
    expect(outcome).toEqual({ known: true, code: 'SERVICE_NOT_FOUND', requestId: 'r1', aborted: 'AbortError' });
  });

  it('does not follow a redirect, and reports once that the response is not from the service', async () => {
    const other = await answering(allowing({ json: { data: vendor('1') } }));
    const server = await answering(allowing({ status: 307, headers: { Location: `${other.url}/v4/vendors/1` } }));
    const [thrown, returned] = await page.evaluate(async (baseUrl) => {
      const client = sdk.createClient({ baseUrl, token: 'token' });
      const error = await client.vendors.get('1').catch((reason) => reason);
      const result = await client.GET('/vendors/{id}', { params: { path: { id: '1' } } });
      return [error.code, result.error?.code];
    }, server.url);
    expect([thrown, returned]).toEqual(['CLIENT_UNREADABLE', 'CLIENT_UNREADABLE']);
    expect(requests(server.arrived)).toHaveLength(2);
    expect(other.arrived).toEqual([]);
  });
});

/** Replies that other origins may read; preflight requests have separate replies. */
function allowing(...replies: Reply[]): (request: Arrived) => Reply {
  const left = [...replies];
  const cors = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Prefer',
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Expose-Headers': 'Location, Retry-After, Write-Id, Write-Warnings, X-Request-Id',
  };
  return ({ method }) => {
    const reply = method === 'OPTIONS' ? { status: 204 } : ((left.length > 1 ? left.shift() : left[0]) ?? {});
    return { ...reply, headers: { ...cors, ...reply.headers } };
  };
}

function requests(arrived: readonly Arrived[]): Arrived[] {
  return arrived.filter(({ method }) => method !== 'OPTIONS');
}

/** Serves a page that imports the package as it was installed, without a bundler. */
async function serve(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = path === '/' ? HTML : await readFile(join(folder, path)).catch(() => undefined);
    const type = path === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': type }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  return server;
}
