import type { Client } from '@unified/sdk';
import { checkedFetch, signIn } from '@unified/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningTracker, startTracker } from '../../../test-systems/request-tracker/start.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';

let tracker: RunningTracker;
let stack: Stack;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  tracker = await startTracker();
  stops.push(() => tracker.stop());
  stack = await startStack();
  stops.push(() => stack.stop());
  await stack.startWorker();
}, START_MS);

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

interface Made {
  readonly id: string;
  readonly token: string;
}

/** Creates a connection and a token for it with the Management API, as an application does. */
async function connected(): Promise<Client> {
  const { token } = await signIn(stack.database.store, stack.baseUrl);
  const headers = { authorization: `Bearer ${token}` };
  const post = async (path: string, json: object) => {
    const url = `${stack.baseUrl}/v4${path}`;
    const { status, body } = await checkedFetch<{ data: Made }>(url, { method: 'POST', json, headers });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  };
  const settings = { url: tracker.url, token: tracker.token };
  const { id } = await post('/connections', { platform: 'request-tracker', name: 'Plant', settings });
  return sdkClient(stack.baseUrl, (await post(`/connections/${id}/token`, {})).token);
}

test(
  'Request Tracker is connected, copied, written and changed by actions, with the outcome in write records',
  async () => {
    const client = await connected();
    const isCopied = async () =>
      expect((await client.comments.list({ filter: { body: 'Started' } })).data).toHaveLength(1);
    await vi.waitFor(isCopied, { timeout: 120_000, interval: 500 });
    const copied = await client.workOrders.list({ filter: { name: 'Work order 2' }, expand: ['site'] });
    expect(copied.data).toMatchObject([{ priorityLevel: 3, site: { name: 'Maintenance' } }]);

    const site = { _displayValue: 'Maintenance' };
    const order = await client.workOrders.create({ name: 'Replace bearing', priorityLevel: 2, site });
    expect(order).toMatchObject({ statusCategory: 'open', priorityLevel: 2, site: { _displayValue: 'Maintenance' } });
    const ticket = () => tracker.api.one(`/ticket/${order._idValue}`);
    expect(await ticket()).toMatchObject({ Subject: 'Replace bearing', Priority: '75' });
    expect(await client.workOrders.update(order.id, { name: 'Replace both bearings' })).toMatchObject({
      name: 'Replace both bearings',
    });

    const { writeId } = await client.workOrders.start(order.id, {});
    expect(await client.writes.wait(writeId)).toMatchObject({ status: 'succeeded', entity: 'WorkOrder' });
    expect(await client.workOrders.get(order.id)).toMatchObject({ statusCategory: 'in_progress' });
    expect(await ticket()).toMatchObject({ Status: 'open', Subject: 'Replace both bearings' });

    const comment = await client.comments.create({ subject: { id: order.id, rel: 'WorkOrder' }, body: 'Bearing 6204' });
    expect(comment).toMatchObject({ body: 'Bearing 6204', subject: { id: order.id } });
    expect(await tracker.api.texts(order._idValue)).toContain('Bearing 6204');
    await expect(client.workOrders.create({ name: 'Nowhere' })).rejects.toMatchObject({ code: 'SERVICE_REJECTED' });
  },
  START_MS,
);
