import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { clientDocument, errorTable, operations } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPages, type Reference } from '../src/http/pages.ts';
import { Outbox } from '../src/http/response/outbox.ts';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const get = (path: string) => fetch(api.baseUrl + path, { redirect: 'manual' });

/** Serves only the pages, optionally with the reference at another location. */
async function servedPages(reference?: Reference) {
  const pages = createPages('https://api.example.com', new Outbox(pino({ level: 'silent' })), reference);
  const server = express().use(pages).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { server, docs: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs` };
}

/** A reference that has not been built yet, and a function that builds it. */
async function unbuilt(longestBuildMs: number): Promise<Reference & { build(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'pages-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const draft = join(parent, 'docs.new');
  const folder = join(parent, 'docs');
  const build = async () => {
    await mkdir(draft);
    await writeFile(join(draft, 'docs.html'), '<h1>Reference</h1>');
    await rename(draft, folder);
  };
  return { folder: pathToFileURL(`${folder}/`), longestBuildMs, build };
}

describe('pages for browsers', () => {
  it.each(['/docs/', '/docs/quickstart'])('%s redirects to the reference', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('the reference loads nothing from other servers and runs only scripts of this one', async () => {
    const response = await get('/docs');
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc="docs\/)/);
    expect(html).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toContain('unsafe');
  });

  it('the reference, the health and the packages have the same versions', async () => {
    const [html, health] = await Promise.all(
      ['/docs', '/v4/system/health'].map(async (path) => (await get(path)).text()),
    );
    const { version, apiVersion } = JSON.parse(health ?? '');
    expect(html).toContain(`<span>Release ${version}</span> <span>API ${apiVersion}</span>`);
    expect(apiVersion).toBe(clientDocument().info.version);
    const root = new URL('../../../', import.meta.url);
    const packages = globSync(['package.json', 'packages/*/package.json'], { cwd: fileURLToPath(root) });
    const versions = packages.map((file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')).version);
    expect(new Set(versions)).toEqual(new Set([version]));
  });

  it('every link of the reference leads to a page and an anchor that exist', async () => {
    const pages = new Map<string, Promise<string>>();
    const read = (path: string) => {
      const text = pages.get(path) ?? get(path).then((response) => (response.ok ? response.text() : ''));
      pages.set(path, text);
      return text;
    };
    const broken: string[] = [];
    const seen = new Set<string>();
    const queue = ['/docs'];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const html = await read(path);
      for (const [, href = ''] of html.matchAll(/<(?:a|link)\b[^>]* href="([^"]+)"/g)) {
        if (href.startsWith('data:')) continue;
        const { pathname, hash } = new URL(href, `http://localhost${path}`);
        if (seen.has(pathname + hash)) continue;
        seen.add(pathname + hash);
        const target = await read(pathname);
        if (target === '' || !target.includes(hash && ` id="${hash.slice(1)}"`)) broken.push(`${path} → ${href}`);
        if (!hash && /^\/docs[^.]*$/.test(pathname) && pathname !== '/docs') queue.push(pathname);
      }
    }
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(1000);
  });

  it('every guide and every group is also Markdown, which llms.txt lists', async () => {
    const list = await (await get('/llms.txt')).text();
    const paths = [...list.matchAll(/\]\(https?:\/\/[^/]+(\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths).toEqual(expect.arrayContaining(['/docs/quickstart.md', '/docs/errors.md', '/docs/api/vendors.md']));
    const texts = await Promise.all(paths.map(async (path) => [path, await (await get(path)).text()]));
    expect(texts.filter(([, text]) => !text?.startsWith('# '))).toEqual([]);
    expect(new Map(texts as [string, string][]).get('/docs/errors.md')).toContain('SERVICE_RATE_LIMITED');
    expect((await get('/docs/filtering.md')).headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  });

  it('the reference has a section for each error code', async () => {
    const html = await (await get('/docs/errors')).text();
    expect(Object.keys(errorTable).filter((code) => !html.includes(`<h3 id="${code}">`))).toEqual([]);
  });

  it('the document names this server', async () => {
    const document = (await (await get('/openapi.json')).json()) as { servers: { url: string }[]; paths: object };
    expect(document.servers.map(({ url }) => url)).toEqual(['/v4', '/v4/v4'].map((base) => api.store.publicUrl + base));
    expect(Object.keys(document.paths)).toEqual(Object.keys(clientDocument().paths));
  });

  it('the document has a sample with curl and one with the client of every operation', async () => {
    const document = (await (await get('/openapi.json')).json()) as Pick<ReferenceDocument, 'paths'>;
    const labels = (wanted: string) =>
      operations.filter(({ path, method }) =>
        document.paths[path]?.[method]?.['x-codeSamples']?.some(({ label, source }) => label === wanted && source),
      );
    expect(labels('curl')).toEqual(operations);
    expect(labels('TypeScript SDK')).toEqual(operations);
    const [curl] = document.paths['/vendors']?.get?.['x-codeSamples'] ?? [];
    expect(curl?.source).toContain(`${api.store.publicUrl}/v4/vendors`);
  });

  it('the reference names this server wherever it names one', async () => {
    const { docs } = await servedPages();
    const texts = await Promise.all(
      ['', '/api/vendors', '/api/oauth', '/quickstart.md', '/search.json'].map(async (path) => {
        return (await fetch(docs + path)).text();
      }),
    );
    expect(texts.join()).toContain('https://api.example.com/v4/vendors');
    expect(texts.join()).toContain('https://api.example.com/oauth/token');
    expect(texts.join()).not.toContain('http://localhost:4000');
  });

  it('a request that arrives while the reference is being built waits for it', async () => {
    const reference = await unbuilt(60_000);
    const { server, docs } = await servedPages(reference);
    const asked = once(server, 'request');
    const response = fetch(docs);
    await asked;
    await reference.build();
    expect(await (await response).text()).toBe('<h1>Reference</h1>');
  });

  it('a reference that is not built in time returns 404, and is sent once it exists', async () => {
    const reference = await unbuilt(0);
    const { docs } = await servedPages(reference);
    const missing = await fetch(docs);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { code: 'SERVICE_NOT_FOUND', message: expect.stringContaining('npm run generate') },
    ]);
    await reference.build();
    expect((await fetch(docs)).status).toBe(200);
  });

  it.each(['/docs/nothing', '/docs/api', '/docs/../package.json', '/docs/%2e%2e/%2e%2e/package.json', '/docs.html'])(
    'the reference has no page at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it.each(['/docs', '/docs/reference.js', '/openapi.json'])(
    '%s is sent compressed, and only when it has changed',
    async (path) => {
      const { headers } = await get(path);
      expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['gzip', 'no-cache']);
      const plain = await fetch(api.baseUrl + path, { headers: { 'Accept-Encoding': 'identity' } });
      expect(plain.headers.has('content-encoding')).toBe(false);
      expect((await plain.text()).length).toBeGreaterThan(Number(headers.get('content-length')));
      const tag = headers.get('etag') ?? '';
      for (const sent of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
        const again = await fetch(api.baseUrl + path, { headers: { 'If-None-Match': sent } });
        expect([sent, again.status, await again.text()]).toEqual([sent, 304, '']);
      }
      for (const sent of ['"other"', `"${tag}"`]) {
        const again = await fetch(api.baseUrl + path, { headers: { 'If-None-Match': sent } });
        expect([sent, again.status]).toEqual([sent, 200]);
      }
    },
  );

  it('pages of other origins may load the document', async () => {
    const { headers } = await fetch(`${api.baseUrl}/openapi.json`, { headers: { Origin: 'https://tool.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/', '/docs', '/docs/', '/docs/errors', '/llms.txt', '/openapi.json', '/favicon.ico'])(
    '%s can only be read',
    async (path) => {
      const { status, headers } = await fetch(api.baseUrl + path, { method: 'POST' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );

  it.each(['/docs/nope', '/elsewhere', '/elsewhere/<script>'])(
    '%s is not found, with a page for browsers',
    async (path) => {
      const Accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const response = await fetch(api.baseUrl + path, { headers: { Accept } });
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('<html lang="en">');
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('href="/docs/reference.css"');
      expect(text).not.toContain('elsewhere/<script>');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(response.headers.get('vary')).toContain('Accept');
      for (const accepted of ['*/*', 'application/json', 'application/json, text/html'])
        expect(
          (await fetch(api.baseUrl + path, { headers: { Accept: accepted } })).headers.get('content-type'),
        ).toContain('application/json');
    },
  );

  it('the style of the page for unknown addresses is in the stylesheet that it loads', async () => {
    const page = await fetch(`${api.baseUrl}/docs/nope`, { headers: { Accept: 'text/html' } });
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(await page.text()) ?? [];
    expect(await (await get(stylesheet)).text()).toMatch(/^\.page\.not-found \{$/m);
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
