import type { ServerResponse } from 'node:http';
import {
  emitInScope,
  pageOfDeliveries,
  replayChanges,
  replayDelivery,
  replayPeriod,
  sendingEndpoint,
} from '@unified/store';
import { describe, expect, test, vi } from 'vitest';
import { startHarness } from '../../test/harness.ts';
import { register, saveVendor } from '../../test/webhook-changes.ts';
import { type Received, startWebhookReceiver } from '../../test/webhook-receiver.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;
await harness.worker({ endpoints: 20 });

const numbersOf = (received: readonly Received[]) =>
  received.map(({ event }) => (event.data.change as { seq: number }).seq);

async function until(received: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}

const freshScope = async () => (await harness.site()).scope;

describe('a replay of events that wait for their next attempt sends them now, and only once', () => {
  const anHour = (status: number) => () => (response: ServerResponse) => {
    response.writeHead(status, { 'Retry-After': '3600' }).end();
  };
  const period = () => {
    const [since, until] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    return { since: since ?? '', until: until ?? '' };
  };

  /** An endpoint with three changes of one record, of which the first was refused for an hour. */
  async function waiting(status: number) {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
    const application = store.application(scope.applicationId);
    receiver.reply = anHour(status);
    for (const name of ['A', 'B', 'C']) await saveVendor(scope, '1', name);
    const deliveries = () => pageOfDeliveries(application, endpoint.id, { limit: 10 });
    const attempted = async () => (await deliveries()).find(({ attempts }) => attempts === 1);
    await expect.poll(attempted, { interval: 10, timeout: 60_000 }).toBeDefined();
    const isPaused = async () => (await sendingEndpoint(store, endpoint.id))?.pausedUntil !== null;
    await expect.poll(isPaused, { interval: 10, timeout: 60_000 }).toBe(status === 503);
    receiver.reply = () => 204;
    const delivered = async () => (await deliveries()).filter((each) => each.status === 'delivered').length;
    return { scope, receiver, endpoint, application, deliveries, attempted, delivered };
  }
  type Waiting = Awaited<ReturnType<typeof waiting>>;

  const forms: Record<string, (given: Waiting) => Promise<unknown>> = {
    'of one delivery': async ({ application, endpoint, attempted }) => {
      const { id = '' } = (await attempted()) ?? {};
      return (await replayDelivery(application, endpoint.id, id)) && 3;
    },
    'of a period': ({ application, endpoint }) => replayPeriod(application, endpoint, period()),
    'after a cursor': ({ application, endpoint, scope: { connectionId } }) =>
      replayChanges(application, endpoint, { connectionId, seq: '0' }),
  };
  const cases = Object.keys(forms).flatMap((form) => [500, 503].map((status) => [form, status] as const));

  test.each(cases)('%s, after a response %d', async (form, status) => {
    const given = await waiting(status);
    expect(await forms[form]?.(given)).toBe(3);
    await until(given.receiver.received, 4);
    await expect.poll(given.delivered, { interval: 10, timeout: 60_000 }).toBe(3);
    expect(numbersOf(given.receiver.received)).toEqual([1, 1, 2, 3]);
    expect(await given.deliveries()).toHaveLength(3);
  });

  test('and the last change of a record is sent last', async () => {
    const { scope, receiver, endpoint, application, deliveries, delivered } = await waiting(500);
    await replayPeriod(application, endpoint, period());
    await expect.poll(delivered, { interval: 10, timeout: 60_000 }).toBe(3);
    receiver.reply = anHour(500);
    await saveVendor(scope, '1', 'D');
    await until(receiver.received, 5);
    const refused = async () => (await deliveries()).filter((each) => each.status === 'pending' && each.attempts === 1);
    await expect.poll(refused, { interval: 10, timeout: 60_000 }).toHaveLength(1);
    receiver.reply = () => 204;
    await replayChanges(application, endpoint, { connectionId: scope.connectionId, seq: '2' });
    await until(receiver.received, 8);
    expect(numbersOf(receiver.received).slice(5)).toEqual([4, 3, 4]);
  });

  test('of one delivery, whose later events that wait follow it', async () => {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
    const application = store.application(scope.applicationId);
    const byStatus = async (status: string) =>
      (await pageOfDeliveries(application, endpoint.id, { limit: 10 })).filter((each) => each.status === status);
    await saveVendor(scope, '1', 'A');
    await expect.poll(() => byStatus('delivered'), { interval: 10, timeout: 60_000 }).toHaveLength(1);
    const [{ id } = { id: '' }] = await byStatus('delivered');
    receiver.reply = anHour(500);
    await saveVendor(scope, '1', 'B');
    const refused = async () => (await byStatus('pending')).filter(({ attempts }) => attempts === 1);
    await expect.poll(refused, { interval: 10, timeout: 60_000 }).toHaveLength(1);
    receiver.reply = () => 204;
    await replayDelivery(application, endpoint.id, id);
    await until(receiver.received, 5);
    expect(numbersOf(receiver.received)).toEqual([1, 2, 2, 1, 2]);
  });

  test('and the last change of a record is sent last although the endpoint was paused before', async () => {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
    await saveVendor(scope, '1', 'A');
    await until(receiver.received, 1);
    receiver.reply = anHour(503);
    await saveVendor(scope, '2', 'B');
    const pausedUntil = async () => (await sendingEndpoint(store, endpoint.id))?.pausedUntil;
    await expect.poll(pausedUntil, { interval: 10, timeout: 60_000 }).not.toBeNull();
    await saveVendor(scope, '1', 'C');
    await saveVendor(scope, '3', 'D');
    receiver.reply = () => 204;
    await replayChanges(store.application(scope.applicationId), endpoint, { ...scope, seq: '0' });
    await until(receiver.received, 7);
    const numbers = numbersOf(receiver.received);
    expect(numbers.filter((seq) => seq === 1 || seq === 3)).toEqual([1, 3, 1, 3]);
    expect(numbers.filter((seq) => seq === 2 || seq === 4).toSorted()).toEqual([2, 2, 4]);
  });

  test.each([500, 503])('even if an attempt in progress then fails with %d', async (status) => {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, connectionIds: [scope.connectionId] });
    const held: ServerResponse[] = [];
    receiver.reply = () => (response) => {
      held.push(response);
    };
    await saveVendor(scope, '1', 'A');
    await until(held, 1);
    receiver.reply = () => 204;
    await replayChanges(store.application(scope.applicationId), endpoint, { ...scope, seq: '0' });
    for (const response of held) anHour(status)()(response);
    await until(receiver.received, 2);
    expect(numbersOf(receiver.received)).toEqual([1, 1]);
  });

  test('also events that concern no record', async () => {
    const scope = await freshScope();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(store, scope, { url: receiver.url, events: ['mapping.activated'] });
    const application = store.application(scope.applicationId);
    receiver.reply = anHour(500);
    const emit = (revision: number) =>
      scope.transaction((inner) =>
        emitInScope(inner, {
          ...({ type: 'mapping.activated', subject: 'mapping Vendor', entity: 'Vendor' } as const),
          data: { connectionId: scope.connectionId, entity: 'Vendor', revision },
        }),
      );
    await emit(1);
    await emit(2);
    const deliveries = () => pageOfDeliveries(application, endpoint.id, { limit: 10 });
    const attempts = async () => (await deliveries()).map((each) => each.attempts);
    await expect.poll(attempts, { interval: 10, timeout: 60_000 }).toEqual([0, 1]);
    receiver.reply = () => 204;
    expect(await replayPeriod(application, endpoint, period())).toBe(2);
    await until(receiver.received, 3);
    await expect.poll(attempts, { interval: 10, timeout: 60_000 }).toEqual([1, 2]);
    expect(receiver.received.map(({ event }) => event.data.revision)).toEqual([1, 1, 2]);
  });
});
