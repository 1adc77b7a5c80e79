import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { api as startApi } from '@unified/testing';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createConsolePages } from '../src/http/console-pages.ts';
import { Outbox } from '../src/http/response/outbox.ts';

/** Serves a small console at this address; `build` builds it. */
async function served(publicUrl = 'https://api.example.com', longestBuildMs = 60_000) {
  const parent = await mkdtemp(join(tmpdir(), 'console-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'console');
  const build = async () => {
    await mkdir(`${folder}.new/assets`, { recursive: true });
    await writeFile(`${folder}.new/index.html`, '<script type="module" src="/console/assets/index-C1.js"></script>');
    await writeFile(`${folder}.new/assets/index-C1.js`, 'export const console = 1;');
    await writeFile(`${folder}.new/icon.svg`, '<svg/>');
    await writeFile(join(parent, 'secret.js'), 'secret');
    await rename(`${folder}.new`, folder);
  };
  const built = { folder: pathToFileURL(`${folder}/`), longestBuildMs };
  const pages = createConsolePages(publicUrl, new Outbox(pino({ level: 'silent' })), built);
  const server = express().use(pages).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  return { build, get };
}

it.each(['/console', '/console/', '/console/connections', '/console/records/Vendor/0199d2a4-6c1e-7a53'])(
  '%s is the page of the console, which browsers ask for each time',
  async (path) => {
    const { build, get } = await served();
    await build();
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  },
);

it('files whose names contain a hash are kept by browsers, others are not', async () => {
  const { build, get } = await served();
  await build();
  const script = await get('/console/assets/index-C1.js');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect([script.headers.get('content-type'), await script.text()]).toEqual([
    'text/javascript; charset=utf-8',
    'export const console = 1;',
  ]);
  expect((await get('/console/icon.svg')).headers.get('cache-control')).toBe('no-cache');
});

it.each([
  ...['/console/assets/index-C2.js', '/console/../secret.js', '/console/assets/..%2f..%2fsecret.js'],
  ...['/console/.vite/manifest.json', '/console/assets/%2e%2e/secret.js', '/Console', '/consoles', '/sign-in'],
])('%s is not found', async (path) => {
  const { build, get } = await served();
  await build();
  const { status } = await get(path);
  expect(status).toBe(404);
});

it('a page that is requested while the console is being built waits for it, and / leads to the reference until then', async () => {
  const { build, get } = await served();
  expect((await get('/')).headers.get('location')).toBe('/docs');
  const waiting = get('/console');
  await build();
  expect((await waiting).status).toBe(200);
  expect((await get('/')).headers.get('location')).toBe('/console');
});

it('a console that cannot be built is reported', async () => {
  const { get } = await served('https://api.example.com', 0);
  const response = await get('/console');
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm run generate')]);
});

it('behind a proxy with a path, the page loads its files below that path', async () => {
  const { build, get } = await served('https://gate.example/erp');
  await build();
  expect(await (await get('/console')).text()).toContain('src="/erp/console/assets/index-C1.js"');
  expect((await get('/')).headers.get('location')).toBe('/erp/console');
});

it('pages can only be read', async () => {
  const { get } = await served();
  for (const path of ['/', '/console', '/console/assets/index-C1.js']) {
    const { status, headers } = await get(path, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

it('the console does not take addresses of the API, the reference or the protocols', async () => {
  const api = await startApi();
  onTestFinished(() => api.stop());
  for (const path of ['/v4/console', '/v4/nothing', '/openapi.json', '/oauth/jwks.json', '/mcp', '/nothing']) {
    const response = await fetch(api.baseUrl + path);
    expect([path, response.headers.get('content-type')]).toEqual([path, expect.stringContaining('application/json')]);
    await response.arrayBuffer();
  }
});
