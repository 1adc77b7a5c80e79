import { once } from 'node:events';
import { type IncomingHttpHeaders, request as rawRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

const LIST = '/v4/work-orders';
const decoded: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company.stop());

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly coding: string | undefined;
}

/** A response as it was sent. */
async function raw(acceptEncoding: string | undefined, { path = LIST, method = 'GET' } = {}): Promise<Raw> {
  const headers = {
    Authorization: `Bearer ${company.token}`,
    ...(acceptEncoding !== undefined && { 'Accept-Encoding': acceptEncoding }),
  };
  const request = rawRequest(company.baseUrl + path, { method, headers });
  request.end();
  const [response] = await once(request, 'response');
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: await buffer(response),
    coding: response.headers['content-encoding'],
  };
}

describe.each(Object.keys(decoded))('%s', (coding) => {
  test('a list has at most a tenth of the bytes and the same content', async () => {
    const plain = await raw(undefined);
    const { headers, bytes } = await raw(coding);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(headers.vary).toBe('Accept-Encoding');
    expect(decoded[coding]?.(bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length / plain.bytes.length).toBeLessThanOrEqual(0.1);
  });

  test('the response to HEAD has the headers of the list, without a length that is not known yet', async () => {
    const { status, headers, bytes } = await raw(coding, { method: 'HEAD' });
    expect([status, bytes.length, headers['content-encoding'], headers.vary]).toEqual([
      200,
      0,
      coding,
      'Accept-Encoding',
    ]);
    expect(headers['content-length']).toBeUndefined();
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, br', 'br'],
  ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['*', 'zstd'],
  ['*, zstd;q=0', 'br'],
  ['deflate, compress, snappy', undefined],
  ['gzip;q=0, br;q=0, zstd;q=0', undefined],
  ['gzip;q=lots', undefined],
  [';;,=,"', undefined],
  [`${'x-unknown, '.repeat(1_000)}gzip`, 'gzip'],
])('Accept-Encoding: %s', async (acceptEncoding, coding) => {
  const { status, ...sent } = await raw(acceptEncoding);
  expect([status, sent.coding, sent.headers.vary]).toEqual([200, coding, 'Accept-Encoding']);
});

test('a client that accepts no coding of the service and no plain response gets 406', async () => {
  for (const acceptEncoding of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
    const { status, bytes, coding } = await raw(acceptEncoding);
    expect([status, coding]).toEqual([406, undefined]);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      code: 'SERVICE_NOT_ACCEPTABLE',
      details: [{ accepted: ['zstd', 'br', 'gzip', 'identity'] }],
    });
  }
});

test('short responses are plain unless the client excludes that', async () => {
  const path = '/v4/system/health';
  expect((await raw('gzip, zstd', { path })).coding).toBeUndefined();
  const { coding, bytes } = await raw('gzip, identity;q=0', { path });
  expect([coding, JSON.parse(gunzipSync(bytes).toString()).status]).toEqual(['gzip', 'ok']);
});

test('a client that leaves while its list is compressed does not affect others', async () => {
  const headers = { Authorization: `Bearer ${company.token}`, 'Accept-Encoding': 'gzip' };
  const leaving = Array.from({ length: 60 }, () => {
    const request = rawRequest(`${company.baseUrl}${LIST}?per_page=500`, { headers });
    request.on('error', () => {});
    request.end();
    return request;
  });
  await Promise.race(leaving.map((request) => once(request, 'response')));
  for (const request of leaving) request.destroy();
  const others = await Promise.all(Array.from({ length: 8 }, () => raw('gzip')));
  expect(others.map(({ status }) => status)).toEqual(Array(8).fill(200));
});
