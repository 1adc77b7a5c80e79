import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareRequest } from './prepared-request.ts';

const signal = new AbortController().signal;

async function prepared(method: string, path: string, init: RequestInit = {}) {
  const request = new Request(`http://localhost${path}`, { method, ...init });
  const { repeatable, make } = await prepareRequest(request, ['/tools/:/execute']);
  const sent = make('token', signal);
  return {
    repeatable,
    key: sent.headers.get('Idempotency-Key'),
    authorization: sent.headers.get('Authorization'),
    make,
  };
}

describe('a prepared request', () => {
  it.each([
    ['POST', '/v4/vendors', true, expect.any(String)],
    ['PUT', '/v4/tools/echo/execute', true, expect.any(String)],
    ['GET', '/v4/vendors', true, null],
    ['POST', '/v4/tools/echo/execute', false, null],
    ['POST', '/v4/tools/a/b/execute', true, expect.any(String)],
  ])('%s %s is repeatable: %s', async (method, path, repeatable, key) => {
    await expect(prepared(method, path)).resolves.toMatchObject({ repeatable, key });
  });

  it('can be created repeatedly, with its body', async () => {
    const { make } = await prepared('POST', '/v4/vendors', { body: '{"name":"ACME"}' });
    await expect(make('token', signal).json()).resolves.toEqual({ name: 'ACME' });
    await expect(make('token', signal).json()).resolves.toEqual({ name: 'ACME' });
  });

  it('keeps credentials that the caller has set', async () => {
    const { authorization } = await prepared('POST', '/oauth/token', { headers: { Authorization: 'Basic abc' } });
    expect(authorization).toBe('Basic abc');
  });

  it('names the package and its version, unless the caller sets a `User-Agent` or it runs in a page', async () => {
    const agentOf = async (headers: Record<string, string> = {}) =>
      (await prepareRequest(new Request('http://localhost/v4/vendors', { headers }), []))
        .make('token', signal)
        .headers.get('User-Agent');
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await agentOf()).toBe(`unified-sdk/${version}`);
    expect(await agentOf({ 'User-Agent': 'northwind/2.1' })).toBe('northwind/2.1');
    vi.stubGlobal('document', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await agentOf()).toBeNull();
  });
});
