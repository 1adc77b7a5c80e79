import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openApiDocument } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPages, type ReferencePage } from '../src/http/pages.ts';
import { Outbox } from '../src/http/response/outbox.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const get = (path: string) => fetch(api.baseUrl + path, { redirect: 'manual' });

/** Only the pages, optionally with the reference page at another place. */
async function servedPages(page?: ReferencePage) {
  const pages = createPages('https://api.example.com', new Outbox(pino({ level: 'silent' })), page);
  const server = express().use(pages).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { server, docs: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs` };
}

/** A reference page that is not built yet. */
async function unbuilt(longestBuildMs: number): Promise<ReferencePage> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { file: pathToFileURL(join(folder, 'docs.html')), longestBuildMs };
}

describe('pages for browsers', () => {
  it('the root redirects to the reference', async () => {
    const response = await get('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('the reference loads nothing from other servers and runs only its own scripts', async () => {
    const response = await get('/docs');
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).not.toMatch(/<script[^>]*\bsrc=/);
    expect(html).toContain('SERVICE_RATE_LIMITED');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'sha256-[^;]*;/);
    expect(policy).not.toMatch(/script-src [^;]*unsafe/);
  });

  it('the document names this server', async () => {
    const document = (await (await get('/openapi.json')).json()) as { servers: { url: string }[]; paths: object };
    expect(document.servers.map(({ url }) => url)).toEqual(['/v4', '/v4/v4'].map((base) => api.store.publicUrl + base));
    expect(Object.keys(document.paths)).toEqual(Object.keys(openApiDocument().paths));
  });

  it('the reference names this server wherever it names one', async () => {
    const { docs } = await servedPages();
    const html = await (await fetch(docs)).text();
    expect(html).toContain('https://api.example.com/v4/vendors');
    expect(html).toContain('https://api.example.com/oauth/token');
    expect(html).not.toContain('http://localhost:4000');
  });

  it('a request that arrives while the reference is being built waits for it', async () => {
    const page = await unbuilt(60_000);
    const { server, docs } = await servedPages(page);
    const asked = once(server, 'request');
    const response = fetch(docs);
    await asked;
    await writeFile(page.file, '<h1>Reference</h1>');
    expect(await (await response).text()).toBe('<h1>Reference</h1>');
  });

  it('a reference that is not built in time returns 404, and is sent once it exists', async () => {
    const page = await unbuilt(0);
    const { docs } = await servedPages(page);
    const missing = await fetch(docs);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { code: 'SERVICE_NOT_FOUND', message: expect.stringContaining('npm run generate') },
    ]);
    await writeFile(page.file, '<h1>Reference</h1>');
    expect((await fetch(docs)).status).toBe(200);
  });

  it.each(['/docs', '/openapi.json'])('%s is sent compressed, and only when it has changed', async (path) => {
    const { headers } = await get(path);
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['gzip', 'no-cache']);
    const plain = await fetch(api.baseUrl + path, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect((await plain.text()).length).toBeGreaterThan(Number(headers.get('content-length')));
    const again = await fetch(api.baseUrl + path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('pages of other origins may load the document', async () => {
    const { headers } = await fetch(`${api.baseUrl}/openapi.json`, { headers: { Origin: 'https://tool.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/', '/docs', '/openapi.json', '/favicon.ico'])('%s can only be read', async (path) => {
    const { status, headers } = await fetch(api.baseUrl + path, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('there are no other pages', async () => {
    const response = await get('/elsewhere');
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }),
    ]);
    expect(response.headers.has('x-powered-by')).toBe(false);
  });
});
