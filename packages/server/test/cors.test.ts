import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

it('returns the methods and headers that a page of another origin may use, without a token', async () => {
  const response = await fetch(`${api.baseUrl}/v4/vendors`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
  expect(response.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
});

it('allows pages of other origins to read every response and its headers, including errors, but no cookies', async () => {
  const response = await fetch(`${api.baseUrl}/v4/vendors`, { headers: { Origin: 'https://app.example' } });
  expect(response.status).toBe(401);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
});

it('treats OPTIONS that is not a preflight request like any other unknown method', async () => {
  const { status, headers } = await api.fetch('/v4/vendors', { method: 'OPTIONS' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});
