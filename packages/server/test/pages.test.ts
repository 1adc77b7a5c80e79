import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openApiDocument } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Outbox } from '../src/http/outbox.ts';
import { createPages } from '../src/http/pages.ts';

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

  it('the reference names this server wherever it names one', async () => {
    const server = express()
      .use(createPages('https://api.example.com', new Outbox(pino({ level: 'silent' }))))
      .listen(0);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const html = await (await fetch(`http://localhost:${(server.address() as AddressInfo).port}/docs`)).text();
    expect(html).toContain('https://api.example.com/v4/vendors');
    expect(html).toContain('https://api.example.com/oauth/token');
    expect(html).not.toContain('http://localhost:4000');
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

  it('nothing else is there', async () => {
    const response = await get('/elsewhere');
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }),
    ]);
    expect(response.headers.has('x-powered-by')).toBe(false);
  });
});
