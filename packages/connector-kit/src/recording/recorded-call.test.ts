import { expect, test } from 'vitest';
import type { RecordedRequest } from './exchange.ts';
import { keyAtAnyTime, keyOf, nameOf, respondingTo } from './recorded-call.ts';

const request = (change: Partial<RecordedRequest>): RecordedRequest => ({
  ...{ method: 'POST', path: '/erp/', headers: {}, body: '', access: 'granted' },
  ...change,
});

test('a request is named by its path, and by its method of JSON-RPC', () => {
  expect(nameOf(request({ path: '/rows?page=2', method: 'GET' }))).toBe('GET /rows?page=2');
  expect(nameOf(request({ body: '{"id": 1, "method": "model.party.party.read"}' }))).toBe(
    'POST /erp/ (model.party.party.read)',
  );
});

test('the number of a JSON-RPC call does not matter, and responses get that of their call', () => {
  const [first, later] = ['{"id": 1, "method": "read", "params": [7]}', '{"id": 42, "method": "read", "params": [7]}'];
  expect(keyOf(request({ body: first }))).toBe(keyOf(request({ body: later })));
  expect(respondingTo(later, '{"id": 1, "result": [{"id": 1}]}')).toBe('{"id": 42, "result": [{"id": 1}]}');
  expect(respondingTo('{"id": 42}', '{"id": 1}')).toBe('{"id": 1}');
  expect(keyOf(request({ body: '{"id": 1}' }))).not.toBe(keyOf(request({ body: '{"id": 2}' })));
});

test.each([
  { path: '/rows?since=2026-11-26T21:43:00Z' },
  { path: '/rows?since=2026-11-26T21%3A43%3A00.123%2B01%3A00' },
  { body: '{"since": "2026-11-26 21:43"}' },
])('requests that differ only in times are alike: %j', (earlier) => {
  const moved = (text: string | undefined) => text?.replace('2026-11-26', '2027-01-31').replace('43', '44') ?? '';
  const later = { path: moved(earlier.path ?? '/erp/'), body: moved(earlier.body) };
  expect(keyAtAnyTime(request(later))).toBe(keyAtAnyTime(request(earlier)));
  expect(keyOf(request(later))).not.toBe(keyOf(request(earlier)));
});

test('parts of times in JSON-RPC are alike', () => {
  const since = (minute: number) =>
    request({ body: `{"__class__": "datetime", "hour": 9, "minute": ${minute}, "size": 5}` });
  expect(keyAtAnyTime(since(1))).toBe(keyAtAnyTime(since(2)));
});

test('the credentials, the page and other numbers matter', () => {
  const path = '/rows?page=2&since=2026-11-26';
  const others = [
    { path: '/rows?page=3&since=2026-11-26' },
    { access: 'refused' as const },
    { headers: { prefer: 'x' } },
  ];
  for (const other of others)
    expect(keyAtAnyTime(request({ path, ...other }))).not.toBe(keyAtAnyTime(request({ path })));
});
