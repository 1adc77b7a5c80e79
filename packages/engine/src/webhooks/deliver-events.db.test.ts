import { createHmac } from 'node:crypto';
import {
  changeConnections,
  changesAfter,
  deliveryById,
  eventIdOf,
  pageOfAudit,
  pageOfDeliveries,
  replayChanges,
  replayPeriod,
  rotateWebhookSecret,
  type Scope,
  skipMissed,
  updateWebhookEndpoint,
  webhookEndpoint,
} from '@unified/store';
import { describe, expect, test, vi } from 'vitest';
import { startHarness } from '../../test/harness.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { type Received, startWebhookReceiver } from '../../test/webhook-receiver.ts';

// Retries wait for seconds.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;
await harness.worker({ endpoints: 20 });

/** Waits until this many events were received. */
async function until(received: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}

/** Numbers of changes, in the order in which they were received. */
function numbersOf(received: readonly Received[]): number[] {
  return received.map(({ event }) => (event.data.change as { seq: number }).seq);
}

async function freshScope(): Promise<Scope> {
  return (await harness.site()).scope;
}

function isSignedBy({ id, headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${id}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

test('each change of a record is sent once, signed, in order, to each endpoint that it concerns', async () => {
  const scope = await freshScope();
  const [all, deletions] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const { secret } = await register(store, scope, { url: all.url, connectionIds: [scope.connectionId] });
  await register(store, scope, { url: deletions.url, events: ['record.deleted'] });
  for (const name of ['A', 'B', 'C']) await saveVendor(scope, '1', name);
  await until(all.received, 3);
  const { changes } = await changesAfter(scope, null, 10);
  expect(all.received.map(({ event }) => event.type)).toEqual(['record.created', 'record.updated', 'record.updated']);
  expect(numbersOf(all.received)).toEqual([1, 2, 3]);
  expect(all.received.map(({ id }) => id)).toEqual(changes.map((change) => eventIdOf(scope.connectionId, change)));
  expect(all.received.every((one) => isSignedBy(one, secret))).toBe(true);
  expect(deletions.received).toEqual([]);
});

test('an endpoint with other connections receives only what happens in them from then on', async () => {
  const scope = await freshScope();
  const { applicationId, connectionId } = scope;
  const application = store.application(applicationId);
  const receiver = await startWebhookReceiver();
  const before = [(await freshScope()).connectionId];
  const { id } = await register(store, scope, { url: receiver.url, connectionIds: before });
  await saveVendor(scope, '1', 'A');
  await changeConnections(application, id, { before, after: [connectionId] });
  await updateWebhookEndpoint(application, id, { connectionIds: [connectionId] });
  await saveVendor(scope, '1', 'B');
  await until(receiver.received, 1);
  expect(numbersOf(receiver.received)).toEqual([2]);
});

test('a full event contains the record', async () => {
  const scope = await freshScope();
  const receiver = await startWebhookReceiver();
  await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId], payload: 'full' });
  await saveVendor(scope, '1', 'ACME');
  await until(receiver.received, 1);
  expect(receiver.received[0]?.event.data.change).toMatchObject({ record: { name: 'ACME', _idValue: '1' } });
});

test('a record whose event is refused waits for its retry, and others do not', async () => {
  const scope = await freshScope();
  const receiver = await startWebhookReceiver();
  const { id } = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  let refusals = 1;
  receiver.reply = ({ event }) => ((event.data.change as { seq: number }).seq === 1 && refusals-- > 0 ? 500 : 204);
  await saveVendor(scope, '1', 'A');
  await saveVendor(scope, '1', 'B');
  await saveVendor(scope, '2', 'C');
  await until(receiver.received, 4);
  expect(numbersOf(receiver.received)).toEqual([1, 3, 1, 2]);
  const [first, again] = receiver.received.filter(({ event }) => (event.data.change as { seq: number }).seq === 1);
  expect(again?.id).toBe(first?.id);
  expect(Number(again?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']));
  const application = store.application(scope.applicationId);
  const page = () => pageOfDeliveries(application, id, { limit: 10, status: 'delivered' });
  await expect.poll(async () => (await page()).length, { interval: 10, timeout: 10_000 }).toBe(3);
  const [delivery] = (await page()).filter(({ attempts }) => attempts === 2);
  const details = delivery && (await deliveryById(application, id, delivery.id));
  expect(details?.history.map(({ number, responseStatus }) => [number, responseStatus])).toEqual([
    [1, 500],
    [2, 204],
  ]);
});

test('a receiver that was down gets everything on its return, and another one is not delayed in the meantime', async () => {
  const scope = await freshScope();
  const [down, up] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const connectionIds = [scope.connectionId];
  const { id } = await register(store, scope, { url: down.url, connectionIds });
  await register(store, scope, { url: up.url, connectionIds });
  await down.close();
  for (let n = 0; n < 20; n += 1) await saveVendor(scope, String(n % 4), `Name ${n}`);
  await until(up.received, 20);
  expect(down.received).toEqual([]);
  const application = store.application(scope.applicationId);
  const failing = async () => (await webhookEndpoint(application, id))?.pausedUntil ?? null;
  await expect.poll(failing, { interval: 10, timeout: 10_000 }).not.toBeNull();
  await down.open();
  await until(down.received, 20);
  expect(new Set(numbersOf(down.received)).size).toBe(20);
  await expect.poll(async () => (await webhookEndpoint(application, id))?.failingSince, { interval: 10 }).toBeNull();
});

test('an endpoint that returns 410 is deactivated, others are notified, and it catches up when it is activated', async () => {
  const scope = await freshScope();
  const [gone, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const { id } = await register(store, scope, { url: gone.url, connectionIds: [scope.connectionId] });
  await register(store, scope, { url: other.url, events: ['webhook_endpoint.disabled'] });
  gone.reply = () => 410;
  await saveVendor(scope, '1', 'A');
  await until(other.received, 1);
  const application = store.application(scope.applicationId);
  expect(other.received[0]?.event).toMatchObject({
    type: 'webhook_endpoint.disabled',
    data: { endpointId: id, url: gone.url, reason: 'gone' },
  });
  expect(await webhookEndpoint(application, id)).toMatchObject({ isActive: false, inactiveReason: 'gone' });
  const [entry] = await pageOfAudit(application, { target: id, limit: 1 });
  expect(entry).toMatchObject({ actorType: 'service', action: 'webhook_endpoint.disable' });
  await saveVendor(scope, '1', 'B');
  gone.reply = () => 204;
  expect(gone.received).toHaveLength(1);
  await updateWebhookEndpoint(application, id, { isActive: true });
  await until(gone.received, 3);
  expect(numbersOf(gone.received)).toEqual([1, 1, 2]);
});

test('an endpoint that is activated for new events only does not receive those that it missed', async () => {
  const scope = await freshScope();
  const receiver = await startWebhookReceiver();
  const application = store.application(scope.applicationId);
  const { id } = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  await updateWebhookEndpoint(application, id, { isActive: false });
  await saveVendor(scope, '1', 'A');
  await skipMissed(application, id);
  await updateWebhookEndpoint(application, id, { isActive: true });
  await saveVendor(scope, '1', 'B');
  await until(receiver.received, 1);
  expect(numbersOf(receiver.received)).toEqual([2]);
});

test('events are signed with both secrets while they are rotated', async () => {
  const scope = await freshScope();
  const receiver = await startWebhookReceiver();
  const { id, secret } = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  const application = store.application(scope.applicationId);
  const rotated = await rotateWebhookSecret(application, id, 24);
  await saveVendor(scope, '1', 'A');
  await until(receiver.received, 1);
  const ended = await rotateWebhookSecret(application, id, 0);
  await saveVendor(scope, '1', 'B');
  await until(receiver.received, 2);
  const secrets = [secret, rotated.secret, ended.secret];
  expect(receiver.received.map((one) => secrets.map((each) => isSignedBy(one, each)))).toEqual([
    [true, true, false],
    [false, false, true],
  ]);
});

describe('a replay has the same ids', () => {
  test('after a cursor, and of a period', async () => {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
    const since = new Date(Date.now() - 1_000).toISOString();
    for (const name of ['A', 'B', 'C']) await saveVendor(scope, '1', name);
    await until(receiver.received, 3);
    const application = store.application(scope.applicationId);
    const { connectionId } = scope;
    expect(await replayChanges(application, endpoint, { connectionId, seq: '1' })).toBe(2);
    await until(receiver.received, 5);
    const period = { since, until: new Date(Date.now() + 1_000).toISOString() };
    expect(await replayPeriod(application, endpoint, period)).toBe(3);
    await until(receiver.received, 8);
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 2, 3, 1, 2, 3]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  });
});

test('a redirect is not followed', async () => {
  const scope = await freshScope();
  const [receiver, elsewhere] = [await startWebhookReceiver(), await startWebhookReceiver()];
  receiver.reply = () => (response) => response.writeHead(307, { location: elsewhere.url }).end();
  const { id } = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  await saveVendor(scope, '1', 'A');
  const application = store.application(scope.applicationId);
  const statuses = async () => (await pageOfDeliveries(application, id, { limit: 1 })).map((one) => one.responseStatus);
  await expect.poll(statuses, { interval: 10, timeout: 10_000 }).toEqual([307]);
  expect(elsewhere.received).toEqual([]);
});

test('the log of deliveries shows the beginning of a response without secrets and control characters', async () => {
  const scope = await freshScope();
  const receiver = await startWebhookReceiver();
  const { id, secret } = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
  receiver.reply = (request) => (response) => {
    response.writeHead(200).end(`${secret} ${request.headers['webhook-signature']} \0\u001b[31m${'x'.repeat(80_000)}`);
  };
  await saveVendor(scope, '1', 'A');
  receiver.reply = (request) => (response) => {
    response.writeHead(200).end(`${secret} ${request.headers['webhook-signature']} \0\u001b[31m${'x'.repeat(2_000)}`);
  };
  await saveVendor(scope, '2', 'B');
  const application = store.application(scope.applicationId);
  const bodies = async () =>
    (await pageOfDeliveries(application, id, { limit: 2, status: 'delivered' })).map((one) => one.responseBody);
  await expect.poll(async () => (await bodies()).length, { interval: 10, timeout: 10_000 }).toBe(2);
  const [shown] = await bodies();
  expect(shown).toMatch(/^\[hidden\] \[hidden\] \uFFFD\uFFFD\[31mx+$/);
  expect(shown?.length).toBe(1_000);
});
