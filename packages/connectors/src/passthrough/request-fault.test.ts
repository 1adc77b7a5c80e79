import { describe, expect, test } from 'vitest';
import { httpCall } from './http-call.ts';
import { passthroughFault } from './request-fault.ts';

const BASE = 'https://erp.example:8443/company';
const get = (path: string) => ({ method: 'GET', path }) as const;

/** Paths that lead, or could lead, away from the address of the system. */
const ATTACKS = [
  '//evil.example/x',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example\\x',
  'https://evil.example/x',
  'http:evil.example',
  '@evil.example/',
  '.evil.example/',
  ':80/',
  '/..',
  '/../other',
  '/a/../../other',
  '/%2e%2e/other',
  '/%2E./other',
  '/.%2e/other',
  '/%252e%252e/other',
  '/a/..%2fother',
  '/a%2f..%2f..%2fother',
  '/a%2f%2e%2e%2fother',
  '/%5c..%5cother',
  '/a%5c..',
  '/./a',
  '/a//b',
  '/a?x=1',
  '/a#b',
  '/a b',
  '/a\tb',
  '/a\r\nHost: evil.example',
  '/a%0d%0aHost:%20evil.example',
  '/a%00b',
  '/%zz',
  '/%c0%ae%c0%ae/other',
  '/\u{FF0E}\u{FF0E}/other',
  '',
];

describe('a path', () => {
  test.each(ATTACKS)('%j is refused', (path) => {
    expect(passthroughFault(get(path))).toMatchObject({ part: 'path' });
    expect(() => httpCall(BASE, get(path))).toThrow('path');
  });

  test.each([
    ['/', `${BASE}/`],
    ['/api/v1/parties', `${BASE}/api/v1/parties`],
    ['/projects/group%2Fname', `${BASE}/projects/group%2Fname`],
    ["/A_Partner('1')/to_Address", `${BASE}/A_Partner('1')/to_Address`],
    ['/a..b/...', `${BASE}/a..b/...`],
    ['/%41@b:c', `${BASE}/%41@b:c`],
    ['/evil.example', `${BASE}/evil.example`],
  ])('%s is sent to %s', (path, url) => {
    expect(passthroughFault(get(path))).toBeNull();
    expect(httpCall(BASE, get(path)).url.href).toBe(url);
  });
});

test('parameters cannot become another part of the address', () => {
  const { url } = httpCall(BASE, { ...get('/a'), query: { 'x&y=1#z': '/../b?c#d\r\n', host: 'evil.example' } });
  expect([url.origin, url.pathname, url.hash]).toEqual(['https://erp.example:8443', '/company/a', '']);
  expect([...url.searchParams]).toEqual([
    ['x&y=1#z', '/../b?c#d\r\n'],
    ['host', 'evil.example'],
  ]);
});

describe('headers', () => {
  test('that authenticate, forward or override a request are not sent, in any case', () => {
    const names = [
      ...[
        'Authorization',
        'PROXY-AUTHORIZATION',
        'Cookie',
        'cookie2',
        'Host',
        'Connection',
        'Keep-Alive',
        'TE',
        'Trailer',
      ],
      ...[
        'Transfer-Encoding',
        'Upgrade',
        'Content-Length',
        'Expect',
        'Proxy-Connection',
        'Forwarded',
        'X-Forwarded-Host',
      ],
      ...[
        'X-Forwarded-For',
        'X-Original-URL',
        'X-Rewrite-URL',
        'X-HTTP-Method-Override',
        'X-HTTP-Method',
        'Accept-Encoding',
      ],
      ...['X-Method-Override', 'X-Redmine-API-Key'],
    ];
    const headers = Object.fromEntries(names.map((name) => [name, 'mine']));
    const call = httpCall(BASE, { ...get('/a'), headers: { ...headers, 'X-Mine': '1' } }, ['x-redmine-api-key']);
    expect(call.headers).toEqual({ accept: 'application/json', 'x-mine': '1' });
  });

  test.each([
    ['x-a', '1\r\nAuthorization: Basic x'],
    ['x-a', '1\nHost: evil.example'],
    ['x-a', 'NUL \0'],
    ['x-a', '\u{4e2d}'],
    ['x-a\r\nHost', 'evil.example'],
    ['x a', '1'],
    ['', '1'],
    ['x:a', '1'],
  ])('%j: %j is refused', (name, value) => {
    expect(passthroughFault({ ...get('/a'), headers: { [name]: value } })?.part).toContain('headers/');
  });
});

test.each([
  { query: { _method: 'delete' } },
  { query: { _METHOD: 'delete' } },
  { body: 'a=1&_method=delete', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  { body: 'a=1&%5Fmethod=delete' },
  { body: { lines: [{ _method: 'delete' }] } },
  { body: '{"a": 1, "_method" : "delete"}' },
  { body: '--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\ndelete\r\n--x--' },
])('a request that frameworks would read with a different method is refused: %j', (more) => {
  expect(passthroughFault({ method: 'POST', path: '/a', ...more })?.message).toContain('_method');
});

test('a GET with a body is refused', () => {
  expect(passthroughFault({ ...get('/a'), body: {} })?.part).toBe('body');
});

describe('a body', () => {
  const bodyOf = (body: unknown, headers = {}) => httpCall(BASE, { method: 'POST', path: '/a', body, headers }).body;

  test('is sent as JSON, or as it is with another type', () => {
    expect(bodyOf({ a: 1 })).toBe('{"a":1}');
    expect(bodyOf('text')).toBe('"text"');
    expect(bodyOf('<a/>', { 'Content-Type': 'application/xml' })).toBe('<a/>');
    expect(bodyOf(null)).toBe('null');
    expect(bodyOf(undefined)).toBeUndefined();
  });
});
