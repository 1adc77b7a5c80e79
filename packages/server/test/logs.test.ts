import { addSandboxPlatform } from '@unified/sandbox';
import { api as startApi, type TestApi } from '@unified/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

addSandboxPlatform();

interface Line {
  readonly level: number;
  readonly requestId: string;
  readonly [name: string]: unknown;
}

const texts: string[] = [];
const linesOf = (requestId: string) =>
  texts.map((text) => JSON.parse(text) as Line).filter((line) => line.requestId === requestId);

let api: TestApi;
/** A connection of a platform that can be used. */
let token: string;

beforeAll(async () => {
  api = await startApi({ logger: pino({ level: 'info', base: null }, { write: (text) => texts.push(text) }) });
  ({ token } = await api.connect({ platform: 'sandbox', settings: { url: 'postgres://unknown@localhost/none' } }));
});
afterAll(() => api.stop());

const send = (requestId: string, path: string, sent: Parameters<TestApi['fetch']>[1] = {}) =>
  api.fetch(path, { ...sent, headers: { 'X-Request-Id': requestId, ...sent.headers } });

describe('the log', () => {
  it('has one line per request with the client, the operation and the outcome', async () => {
    await send('one', '/v4/vendors?filter[name]=secret-customer');
    const { applicationId, connectionId } = api.connection;
    expect(linesOf('one')).toEqual([
      expect.objectContaining({
        level: 30,
        method: 'GET',
        path: '/v4/vendors',
        operation: 'listVendors',
        application: applicationId,
        connection: connectionId,
        status: 200,
        durationMs: expect.any(Number),
      }),
    ]);
  });

  it('contains no tokens, values of queries or bodies', async () => {
    await send('two', '/v4/vendors', { method: 'POST', json: { name: 'secret-customer', colour: 1 } });
    await send('three', '/v4/vendors?filter[name]=secret-customer', { token: `sct_${'x'.repeat(43)}` });
    expect(linesOf('two').concat(linesOf('three'))).toHaveLength(2);
    expect(texts.join('')).not.toMatch(/secret-customer|sct_/);
  });
});

describe('while the database is unreachable', () => {
  it('a request gets 503 with Retry-After', async () => {
    await send('before', '/v4/vendors', { token });
    await api.breakDown();
    const { status, headers, body } = await send('after', '/v4/vendors', { token });
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect(linesOf('after')).toEqual([
      expect.objectContaining({ level: 50, err: expect.anything() }),
      expect.objectContaining({ level: 30, status: 503 }),
    ]);
  });

  it('requests whose token cannot be looked up do not fill the log with errors', async () => {
    const errors = () => texts.filter((text) => JSON.parse(text).level === 50).length;
    const before = errors();
    for (let n = 0; n < 100; n += 1) await api.fetch('/v4/vendors', { token: `sct_${String(n).padStart(43, '0')}` });
    expect(errors() - before).toBeLessThan(100);
  });

  it.each(['changes', 'sync-status', 'writes'])('a request for %s also gets 503', async (path) => {
    const { status, body } = await api.fetch(`/v4/${path}`, { token });
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('a write also gets 503', async () => {
    const { status, body } = await api.fetch('/v4/vendors', {
      method: 'POST',
      json: { name: 'ACME', terms: 'Net 30' },
      token,
    });
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('the server reports that it is not healthy', async () => {
    const { status, headers, body } = await api.fetch('/v4/system/health', { token: null });
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
  });
});
