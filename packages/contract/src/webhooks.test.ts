import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Document, OperationNode, Parameter, Schema } from '../generate/openapi.ts';
import { clientDocument } from './index.ts';

const document = clientDocument() as unknown as Document & { readonly info: { readonly description: string } };
const schemas = document.components.schemas ?? {};
const webhooks = Object.entries(document.webhooks ?? {}).map(([event, { post = {} }]) => ({ event, post }));
const events = webhooks.map(({ event }) => event);

function mediaOf({ requestBody = {} }: OperationNode): { readonly schema: Schema; readonly type: unknown } {
  const media = 'content' in requestBody ? requestBody.content?.['application/json'] : undefined;
  const schema = media?.schema ?? {};
  return { schema, type: (media?.example as { readonly type?: unknown } | undefined)?.type };
}

it('the kinds of events are those that endpoints can be registered for', () => {
  expect(events).toEqual(schemas.EventKind?.enum);
  for (const name of ['WebhookEndpoint', 'WebhookEndpointInput', 'WebhookEndpointPatch']) {
    const kinds = schemas[name]?.properties?.events;
    expect(kinds?.items?.$ref).toBe('#/components/schemas/EventKind');
    expect(events).toEqual(expect.arrayContaining([kinds?.examples].flat(2)));
  }
});

it('an event names its kind, in its schema and in its example', () => {
  expect(webhooks.map(({ post }) => mediaOf(post).type)).toEqual(events);
  const named = webhooks.filter(({ event, post }) => mediaOf(post).schema.properties?.type?.enum?.includes(event));
  expect(named.map(({ event }) => event)).toEqual(events);
  // The characters that Standard Webhooks allows.
  expect(events.filter((event) => !/^\w+(\.\w+)+$/.test(event))).toEqual([]);
});

it('an event refers only to components that operations use', () => {
  const used = JSON.stringify([document.paths, document.components]);
  const references = [...JSON.stringify(document.webhooks).matchAll(/"#\/components\/[^"]+"/g)].map(([each]) => each);
  expect(references.filter((each) => !used.includes(each))).toEqual([]);
  expect(Object.keys(schemas)).not.toContain('RecordEvent');
});

it('an event has the headers of Standard Webhooks', () => {
  for (const { post } of webhooks)
    expect(post.parameters?.map((each) => (each as Parameter).name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
});

it('the signature in the guide is that of its event with its secret', () => {
  const { description } = document.info;
  const [, secret = ''] = /`whsec_(\S+)`/.exec(description) ?? [];
  const [, id, timestamp, signature, body] =
    /webhook-id: (\S+)\n\s*webhook-timestamp: (\S+)\n\s*webhook-signature: v1,(\S+)\n\s*\n\s*(\S+)\n/.exec(
      description,
    ) ?? [];
  const key = Buffer.from(secret, 'base64');
  expect(key.length).toBeGreaterThanOrEqual(24);
  expect(createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')).toBe(signature);
});
