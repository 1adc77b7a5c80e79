import { openApiDocument } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const get = (path: string) => fetch(api.baseUrl + path, { redirect: 'manual' });

describe('for people', () => {
  it('the root leads to the reference', async () => {
    const response = await get('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('the reference needs nothing from elsewhere and runs its own scripts only', async () => {
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

  it('nothing else is there', async () => {
    const response = await get('/elsewhere');
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }),
    ]);
    expect(response.headers.has('x-powered-by')).toBe(false);
  });
});
