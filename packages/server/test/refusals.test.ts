import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { errorTable } from '@unified/contract';
import { type Seeded, type Sent, seed, api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: TestApi;
let seeded: Seeded;

beforeAll(async () => {
  api = await startApi();
  seeded = await seed(api.connection.scope, { vendors: 3, workOrders: 9 });
});
afterAll(() => api.stop());

const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

async function refusal(path: string, sent: Sent & { token?: string | null } = {}) {
  const { status, headers, body } = await api.fetch<{
    code: keyof typeof errorTable;
    message: string;
    details: unknown;
  }>(path, sent);
  expect(errorTable[body.code].status).toBe(status);
  expect(headers.get('x-request-id')).toMatch(/./);
  return body;
}

describe('a body with unknown names', () => {
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown${n}`, n]));
  const detailsOf = async (json: object) => (await refusal('/v4/vendors', { method: 'POST', json })).details;

  it('is refused with all of them', async () => {
    expect(await detailsOf({ name: 'ACME', terms: 'Net 30', ...named(3) })).toHaveLength(3);
  });

  it('is refused with the first of thousands: collecting all would block other requests', async () => {
    expect(await detailsOf({ name: 'ACME', terms: 'Net 30', ...named(40_000) })).toHaveLength(1);
  });

  it('is also refused in lines', async () => {
    const lines = Array.from({ length: 1_000 }, () => named(40));
    expect(await detailsOf({ ...named(1), lines })).toHaveLength(1);
  });
});

describe('a read is refused', () => {
  it.each([
    ['/v4/vendors?per_page=0', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=501', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=abc', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=1.5', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=1e1', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=0x10', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?per_page=-1', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?page=0', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?page=99999999999999999999', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?page=1&page=2', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?colour=red', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?filter[name]=x&colour=red', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?colour[x]=red', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?__proto__=1', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?__proto__[x]=1', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?with_total=maybe', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?sort=%00', 'SERVICE_INVALID_ENCODING'],
    ['/v4/vendors?modified_after=yesterday!!', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?page=1&cursor=abc', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors?cursor=nonsense', 'SERVICE_INVALID_CURSOR'],
    ['/v4/vendors?sort=colour', 'SERVICE_INVALID_SORT'],
    ['/v4/vendors?sort=address', 'SERVICE_INVALID_SORT'],
    ['/v4/vendors?expand=name', 'SERVICE_INVALID_EXPAND'],
    ['/v4/vendors?fields=colour', 'SERVICE_INVALID_FIELDS'],
    ['/v4/vendors?filter[colour]=red', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[name:like]=x', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[name]=a&filter[name]=b', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[name]=a&filter[name:eq]=b', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[__proto__]=1', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[name]=a%00b', 'SERVICE_INVALID_ENCODING'],
    ['/v4/vendors?filter[name][eq]=a', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter=name', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[leadTimeDays]=NaN', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[partnerSinceDate]=2026-02-30', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors?filter[currency]=EUR', 'SERVICE_INVALID_FILTER'],
    ['/v4/vendors/1042', 'SERVICE_INVALID_ID'],
    ['/v4/vendors/1042?colour=red', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/vendors/%F0%9F%98%80', 'SERVICE_INVALID_ID'],
    [`/v4/vendors/${UNKNOWN}`, 'SERVICE_NOT_FOUND'],
    [`/v4/vendors/${UNKNOWN}?expand=name`, 'SERVICE_INVALID_EXPAND'],
    [`/v4/vendors/${UNKNOWN}?fields=name,`, 'SERVICE_INVALID_FIELDS'],
    [`/v4/writes/${UNKNOWN}`, 'SERVICE_NOT_FOUND'],
    ['/v4/writes?status=odd', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/writes?entity=Supplier', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/writes?entity=Person', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/changes?entity=', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/changes?entity=Vendor,', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/changes?entity=Vendor,%20Site', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/changes?entity=Vendor,Vendor', 'SERVICE_INVALID_PARAMETER'],
    ['/v4/capabilities/Person', 'SERVICE_NOT_FOUND'],
    ['/v4/writes?cursor=nonsense', 'SERVICE_INVALID_CURSOR'],
    ['/v4/nothing', 'SERVICE_NOT_FOUND'],
    ['/v4/vendors/', 'SERVICE_NOT_FOUND'],
    ['/v4/Vendors', 'SERVICE_NOT_FOUND'],
    ['/v4/vendors/%', 'SERVICE_NOT_FOUND'],
    ['/v4/vendors/%ff', 'SERVICE_NOT_FOUND'],
    ['/v3/vendors', 'SERVICE_NOT_FOUND'],
    ['/nothing', 'SERVICE_NOT_FOUND'],
    [`/v4/vendors?sort=${'x'.repeat(16_400)}`, 'SERVICE_URI_TOO_LONG'],
    [`/v4/vendors?${Array.from({ length: 101 }, (_, n) => `a${n}=`).join('&')}`, 'SERVICE_URI_TOO_LONG'],
  ])('%.70s → %s', async (path, code) => {
    const found = await refusal(path);
    expect(found.code).toBe(code);
    expect(found.message).toMatch(/[.?]$/);
  });

  it.each(['2026-11-20T10:00:00-23:27', '2016-12-31T23:59:60Z', '2026-11-20t10:00:00z'])(
    'but not with the timestamp %s, which RFC 3339 allows',
    async (timestamp) => {
      const query = new URLSearchParams({ 'filter[dueAt:lt]': timestamp, modified_after: timestamp });
      expect((await api.fetch(`/v4/work-orders?${query}`)).status).toBe(200);
    },
  );

  it('with what is wrong and what is allowed in the details', async () => {
    expect(await refusal('/v4/vendors?filter[isActive:gt]=true')).toMatchObject({
      details: [{ path: 'query/filter[isActive:gt]', allowed: ['eq', 'neq'] }],
    });
    expect(await refusal('/v4/vendors?per_page=abc&page=0')).toMatchObject({
      details: [{ path: 'query/per_page', message: expect.any(String) }],
    });
  });
});

it.each(['2026-13-01', '2026-11-01T10:00:00', '2026-11-01T10:00:00 02:00', '2026-11-1', '2026-02-30', '0000-01-01'])(
  'modified_after=%s is refused with what to send',
  async (text) => {
    expect(await refusal(`/v4/vendors?modified_after=${text}`)).toMatchObject({
      code: 'SERVICE_INVALID_PARAMETER',
      details: [
        { path: 'query/modified_after', message: expect.stringContaining('2026-11-01T00:00:00Z (a + as %2B)') },
      ],
    });
  },
);

describe('a write is refused', () => {
  const post = (sent: Sent) => refusal('/v4/vendors', { method: 'POST', ...sent });
  const json = { 'Content-Type': 'application/json' };

  it.each<[string, Sent, string]>([
    ['malformed JSON', { headers: json, text: '{"name":' }, 'SERVICE_INVALID_JSON'],
    ['text that is not JSON', { headers: json, text: 'name=ACME' }, 'SERVICE_INVALID_JSON'],
    ['no body', {}, 'SERVICE_BODY_REQUIRED'],
    ['null', { json: null }, 'SERVICE_INVALID_BODY'],
    ['a list', { json: [{ name: 'ACME' }] }, 'SERVICE_INVALID_BODY'],
    ['a missing field', { json: { terms: 'Net 30' } }, 'SERVICE_INVALID_BODY'],
    ['an unknown field', { json: { name: 'ACME', colour: 'red' } }, 'SERVICE_INVALID_BODY'],
    ['a read-only field', { json: { name: 'ACME', id: UNKNOWN } }, 'SERVICE_READ_ONLY_FIELD'],
    ['a read-only field and another error', { json: { id: UNKNOWN } }, 'SERVICE_INVALID_BODY'],
    ['a common read-only field', { json: { name: 'ACME', _deletedAt: null } }, 'SERVICE_READ_ONLY_FIELD'],
    ['a wrong type', { json: { name: 'ACME', isActive: 'yes' } }, 'SERVICE_INVALID_BODY'],
    ['a number as text', { json: { name: 'ACME', leadTimeDays: '5' } }, 'SERVICE_INVALID_BODY'],
    ['an impossible date', { json: { name: 'ACME', partnerSinceDate: '2026-02-30' } }, 'SERVICE_INVALID_BODY'],
    ['the year 0', { json: { name: 'ACME', partnerSinceDate: '0000-01-01' } }, 'SERVICE_INVALID_BODY'],
    ['an infinite number', { headers: json, text: '{"name":"ACME","leadTimeDays":1e400}' }, 'SERVICE_INVALID_BODY'],
    ['an empty reference', { json: { name: 'ACME', currency: {} } }, 'SERVICE_INVALID_BODY'],
    ['a reference that is a text', { json: { name: 'ACME', currency: 'EUR' } }, 'SERVICE_INVALID_BODY'],
    ['a NUL byte', { json: { name: 'A\0CME' } }, 'SERVICE_INVALID_ENCODING'],
    ['half a surrogate pair', { headers: json, text: '{"name":"A\\ud800"}' }, 'SERVICE_INVALID_ENCODING'],
    ['__proto__', { headers: json, text: '{"name":"ACME","__proto__":{"x":1}}' }, 'SERVICE_INVALID_BODY'],
    ['constructor', { json: { name: 'ACME', constructor: {} } }, 'SERVICE_INVALID_BODY'],
    ['deep nesting', { headers: json, text: '['.repeat(100_000) + ']'.repeat(100_000) }, 'SERVICE_INVALID_BODY'],
    ['a body over the limit', { json: { name: 'x'.repeat(1_100_000) } }, 'SERVICE_BODY_TOO_LARGE'],
    [
      'another media type',
      { headers: { 'Content-Type': 'text/plain' }, text: '{"name":"ACME"}' },
      'SERVICE_UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a form',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, text: 'name=ACME' },
      'SERVICE_UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      { headers: { 'Content-Type': 'application/json; charset=latin1' }, text: '{}' },
      'SERVICE_UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'an unknown encoding',
      { headers: { ...json, 'Content-Encoding': 'rot13' }, text: '{}' },
      'SERVICE_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a broken encoding', { headers: { ...json, 'Content-Encoding': 'gzip' }, text: '{}' }, 'SERVICE_INVALID_JSON'],
    [
      'an endless key',
      { headers: { 'Idempotency-Key': 'k'.repeat(256) }, json: { name: 'ACME' } },
      'SERVICE_INVALID_IDEMPOTENCY_KEY',
    ],
    [
      'an empty key in quotes',
      { headers: { 'Idempotency-Key': '""' }, json: { name: 'ACME' } },
      'SERVICE_INVALID_IDEMPOTENCY_KEY',
    ],
  ])('%s', async (_, sent, code) => {
    expect((await post(sent)).code).toBe(code);
  });

  it('with what is wrong: the media type or the encoding', async () => {
    const typed = await post({ headers: { 'Content-Type': 'text/plain' }, text: '{}' });
    const encoded = await post({ headers: { ...json, 'Content-Encoding': 'rot13' }, text: '{}' });
    expect([typed.message, encoded.message]).toEqual([
      expect.stringContaining('application/json'),
      expect.stringContaining('Content-Encoding'),
    ]);
  });

  it.each([
    '2026-11-20 10:00:00Z',
    '2026-11-20T10:00:00',
    '2026-11-20T23:59:61Z',
    '2026-11-20',
    '0000-12-31T23:59:59-01:00',
  ])('%s, which is not a timestamp that a filter accepts', async (dueAt) => {
    const { code, details } = await refusal('/v4/work-orders', { method: 'POST', json: { name: 'Leak', dueAt } });
    expect([code, details]).toEqual(['SERVICE_INVALID_BODY', [expect.objectContaining({ path: 'body/dueAt' })]]);
  });

  it('with one detail per wrong field', async () => {
    const { details } = await post({ json: { colour: 'red', leadTimeDays: -1 } });
    expect(details).toEqual(
      expect.arrayContaining([
        { path: 'body/name', message: expect.stringContaining('missing') },
        { path: 'body/colour', message: expect.stringContaining('unknown') },
        { path: 'body/leadTimeDays', message: expect.stringContaining('>= 0') },
      ]),
    );
  });
});

describe('a method that an address does not have', () => {
  it.each([
    ['PUT', '/v4/vendors', 'GET, HEAD, POST'],
    ['DELETE', `/v4/vendors/${UNKNOWN}`, 'GET, HEAD, PUT, PATCH'],
    ['GET', `/v4/work-orders/${UNKNOWN}/actions/cancel`, 'POST'],
    ['OPTIONS', '/v4/vendors', 'GET, HEAD, POST'],
  ])('%s %s returns the allowed methods', async (method, path, allow) => {
    const { status, headers, body } = await api.fetch(path, { method });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'SERVICE_METHOD_NOT_ALLOWED', allow]);
  });
});

/** The server's response to these bytes, up to the end of its JSON. */
async function spoken(bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(api.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(bytes);
  let answer = '';
  for await (const text of socket) {
    answer += text;
    if (answer.endsWith('}')) break;
  }
  return answer;
}

describe('a malformed HTTP request', () => {
  it('gets an error in the usual format if its headers never end', async () => {
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { cookie: 'x'.repeat(40_000) };
      rawRequest(`${api.baseUrl}/v4/vendors`, { headers }, (response) => {
        let body = '';
        response
          .on('data', (chunk) => (body += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
        .on('error', reject)
        .end();
    });
    expect([status, JSON.parse(body).code]).toEqual([431, 'SERVICE_HEADERS_TOO_LARGE']);
  });

  it('is refused when its address contains unencoded characters', async () => {
    const answer = await spoken('GET /v4/vendors?filter[name]=Käse HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"SERVICE_INVALID_ENCODING"/);
  });

  it.each([
    'http://',
    'http://[',
    'http://[/v4/vendors',
    'http://a:b:c/docs',
    'http://a:99999/docs',
    'ftp://a/docs',
    'x://[',
  ])('gets an error in the usual format when its address is %s', async (address) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const answer = await spoken(`GET ${address} HTTP/1.1\r\nHost: x\r\nX-Request-Id: address-1\r\n\r\n`);
    process.off('warning', note);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"SERVICE_MALFORMED_REQUEST"/);
    expect(answer).toMatch(/\r\nX-Request-Id: address-1\r\n/i);
    expect(warnings).toEqual([]);
  });

  it('is served when its address is complete', async () => {
    expect(await spoken('GET http://x/openapi.json HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('gets an error in the usual format when it has no Host header', async () => {
    const answer = await spoken('GET /v4/vendors HTTP/1.1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"SERVICE_MALFORMED_REQUEST"/);
    expect(await spoken('GET /v4/system/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['CONNECT x:443', 'FOO /v4/vendors', 'get /v4/vendors', 'OPTIONS /v4/vendors', 'TRACE /v4/vendors'])(
    'gets 405 with the allowed methods when it is %s',
    async (line) => {
      const answer = await spoken(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD, [\s\S]*"code":"SERVICE_METHOD_NOT_ALLOWED"/);
    },
  );

  it('gets an error when it is not HTTP at all', async () => {
    expect(await spoken('\x16\x03\x01\x02\x00 hello\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"SERVICE_MALFORMED_REQUEST"/,
    );
  });

  it('gets an error before a body of gigabytes has arrived', async () => {
    const head = `Authorization: Bearer ${api.connection.token}\r\nContent-Type: application/json\r\nContent-Length: 9000000000`;
    const answer = await spoken(`POST /v4/vendors HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"SERVICE_BODY_TOO_LARGE"/);
  });

  it.each([
    ['Host', 'Host: a.example\r\nhost: b.example'],
    ['Authorization', `Host: x\r\nAuthorization: Bearer ${'a'.repeat(40)}\r\nAUTHORIZATION: Bearer ${'b'.repeat(40)}`],
  ])('is refused when it has two headers %s', async (name, headers) => {
    const answer = await spoken(`GET /v4/vendors HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"SERVICE_MALFORMED_REQUEST"/);
    expect(answer).toContain(name);
  });
});

describe('an endless body is refused when it exceeds the limit, while the client is still sending,', () => {
  const multipart = 'multipart/form-data; boundary=b0';
  const part = '--b0\r\nContent-Disposition: form-data; name="attachment"';
  const much = 'x'.repeat(2_000_000);

  it.each([
    ['as JSON', '/v4/vendors', 'application/json', Buffer.from(`"${much}`)],
    ['compressed', '/v4/vendors', 'application/json\r\nContent-Encoding: gzip', gzipSync(`"${much}`)],
    ['as text before the first part', '/v4/attachments', multipart, Buffer.from(much)],
    ['as the headers of a part', '/v4/attachments', multipart, Buffer.from(`${part}\r\nX-Much: ${much}`)],
    ['as an unknown part', '/v4/attachments', multipart, Buffer.from(`--b0\r\n\r\n${much}`)],
  ])('%s', async (_, path, type, body) => {
    const headers = `Host: localhost\r\nAuthorization: Bearer ${api.connection.token}\r\nContent-Type: ${type}`;
    const head = `POST ${path} HTTP/1.1\r\n${headers}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
    const answer = await spoken(Buffer.concat([Buffer.from(head), chunk]));
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*"code":"SERVICE_BODY_TOO_LARGE"/);
  });
});

describe('an address that users open accepts only http and https:', () => {
  it.each([
    [
      '/v4/attachments',
      'url',
      { name: 'a', contentType: 'text/html', kind: 'link', subject: { rel: 'Vendor', id: UNKNOWN } },
    ],
    ['/v4/vendors', 'website', { name: 'ACME' }],
    ['/v4/invoices', 'sourceDocumentUrl', {}],
    ['/v4/shipments', 'trackingUrl', {}],
  ])('%s, %s', async (path, field, others) => {
    const isRefused = async (value: string) => {
      // Always refused, because of an unknown field.
      const json = { ...others, [field]: value, colour: 'red' };
      const { details } = await refusal(path, { method: 'POST', json });
      return (details as { path: string }[]).some(({ path: at }) => at === `body/${field}`);
    };
    for (const value of ['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect([value, await isRefused(value)]).toEqual([value, true]);
    expect(await isRefused('HTTPS://acme.example/x')).toBe(false);
  });
});

it('keeps the request id of a client, unless it is unsafe', async () => {
  const idOf = async (sent: string) =>
    (await api.fetch('/v4/vendors', { headers: { 'X-Request-Id': sent } })).headers.get('x-request-id');
  expect(await idOf('trace-1.a:b_c')).toBe('trace-1.a:b_c');
  expect(await idOf('a b')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idOf('x'.repeat(101))).toMatch(/^[0-9a-f-]{36}$/);
});

it('reads no more of a body than the operation accepts', async () => {
  const { status } = await api.fetch(`/v4/work-orders/${seeded.workOrders[0]}`, {
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(status).toBe(200);
});
