import { expect, test } from 'vitest';
import {
  type Body,
  type Document,
  type OperationNode,
  type Parameter,
  resolve,
  type Schema,
} from '../generate/openapi.ts';
import { openApiDocument } from './index.ts';

const document = openApiDocument() as unknown as Document;
const webhooks = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => ({
  event,
  post: post as OperationNode,
}));

function bodyOf({ requestBody }: OperationNode): {
  readonly schema: Schema;
  readonly example: { readonly type: string };
} {
  const media = resolve<Body>(document, requestBody as Body).content?.['application/json'];
  return { schema: resolve(document, media?.schema ?? {}), example: media?.example as { readonly type: string } };
}

test('a webhook has the headers of Standard Webhooks', () => {
  for (const { post } of webhooks) {
    const names = (post.parameters ?? []).map((each) => resolve<Parameter>(document, each).name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
});

test('the example of a webhook is an event of its kind, which its payload names', () => {
  expect(webhooks.map(({ post }) => bodyOf(post).example.type)).toEqual(webhooks.map(({ event }) => event));
  for (const { event, post } of webhooks) expect(bodyOf(post).schema.properties?.type?.enum).toContain(event);
});

test('an endpoint is registered for events that exist', () => {
  const examples = ['WebhookEndpoint', 'WebhookEndpointInput', 'WebhookEndpointPatch'].flatMap(
    (name) => (document.components.schemas?.[name]?.properties?.events?.examples ?? []) as string[][],
  );
  const known = webhooks.map(({ event }) => event);
  expect(examples.flat().filter((event) => !known.includes(event))).toEqual([]);
});
