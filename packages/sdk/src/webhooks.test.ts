import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { unwrap, type WebhookEvent } from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
const id = '0199d2a6-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const body = '{"type":"mapping.activated","timestamp":"2026-11-20T09:30:00Z","data":{"entity":"Vendor","revision":3}}';

/** Headers that the `standardwebhooks` package signs. */
function signed(text = body, { by = [secret], at = new Date() } = {}): Record<string, string> {
  const signature = by.map((each) => new Webhook(each).sign(id, at, text)).join(' ');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('an event that an independent implementation signed', () => {
  test('is returned, with headers of Node and of fetch, and a body of text or bytes', async () => {
    const event = JSON.parse(body);
    expect(await unwrap(signed(), body, secret)).toEqual(event);
    expect(await unwrap(new Headers(signed()), Buffer.from(body), secret)).toEqual(event);
    expect(await unwrap(signed(), new TextEncoder().encode(body).buffer, secret)).toEqual(event);
  });

  test('is accepted during a rotation, by the sender and by the receiver', async () => {
    await expect(unwrap(signed(body, { by: [other, secret] }), body, secret)).resolves.toBeDefined();
    await expect(unwrap(signed(body, { by: [other] }), body, [secret, other])).resolves.toBeDefined();
  });

  test.each([
    ['with another secret', signed(body, { by: [other] }), body],
    ['with an asymmetric signature only', { ...signed(), 'webhook-signature': 'v1a,AAAA' }, body],
    ['with a signature that is not Base64', { ...signed(), 'webhook-signature': 'v1,%' }, body],
    ['with a different id', { ...signed(), 'webhook-id': '0199d2a6-1c2d-7e3f-8a4b-000000000000' }, body],
    ['whose body was parsed and serialized again', signed('{ "a": 1 }'), JSON.stringify(JSON.parse('{ "a": 1 }'))],
    ['whose body was changed', signed(), body.replace('3', '4')],
  ])('%s is refused', async (_, headers, received) => {
    await expect(unwrap(headers, received, secret)).rejects.toMatchObject({ name: 'WebhookError', fault: 'signature' });
  });

  test.each([6, -6])('and sent %i minutes ago is refused', async (minutes) => {
    const late = unwrap(signed(body, { at: minutesAgo(minutes) }), body, secret);
    await expect(late).rejects.toMatchObject({ fault: 'timestamp' });
  });

  test.each([4, -4])('and sent %i minutes ago is accepted', async (minutes) => {
    await expect(unwrap(signed(body, { at: minutesAgo(minutes) }), body, secret)).resolves.toBeDefined();
  });
});

test('a request without its headers, or a body that is not JSON, is refused', async () => {
  const { 'webhook-id': _, ...incomplete } = signed();
  await expect(unwrap(incomplete, body, secret)).rejects.toMatchObject({ fault: 'headers' });
  await expect(unwrap(signed('hello'), 'hello', secret)).rejects.toMatchObject({ fault: 'body' });
});

test('an invalid secret is an error of the receiver', async () => {
  await expect(unwrap(signed(), body, '')).rejects.toThrow(TypeError);
});

test('the type of an event determines that of its data', () => {
  const fieldsOf = (event: WebhookEvent) => (event.type === 'record.updated' ? event.data.change.fields : []);
  expect(fieldsOf({ type: 'webhook_endpoint.test' } as WebhookEvent)).toEqual([]);
});
