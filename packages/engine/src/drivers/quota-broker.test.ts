import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { createBroker, type Priority } from './quota-broker.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}

test('runs no more calls at once than the limit', async () => {
  const broker = createBroker(2);
  const door = gate();
  let inside = 0;
  let most = 0;
  const calls = Array.from({ length: 6 }, () =>
    broker.run('sync', async () => {
      inside += 1;
      most = Math.max(most, inside);
      await door.promise;
      inside -= 1;
    }),
  );
  door.open();
  await Promise.all(calls);
  expect(most).toBe(2);
});

test('lets waiting writes pass before reads, and reads before sync', async () => {
  const broker = createBroker(1);
  const door = gate();
  const ran: string[] = [];
  const first = broker.run('sync', () => door.promise);
  const rest = (['sync', 'read', 'write', 'sync', 'write'] as Priority[]).map((priority) =>
    broker.run(priority, async () => void ran.push(priority)),
  );
  door.open();
  await Promise.all([first, ...rest]);
  expect(ran).toEqual(['write', 'write', 'read', 'sync', 'sync']);
});

test('refuses while it pauses with the kind with which the system asked for it', async () => {
  const broker = createBroker(4, () => 0);
  const busy = broker.run('sync', async () => {
    throw new SystemError('throttled', 'Slow down.', { retryAfter: 30 });
  });
  await expect(busy).rejects.toThrow('Slow down.');
  await expect(broker.run('write', async () => undefined)).rejects.toMatchObject({ kind: 'throttled' });
});

test('does not call the system before the pause it asked for is over', async () => {
  let clock = 1_000_000;
  const broker = createBroker(4, () => clock);
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls === 1) throw new SystemError('unavailable', 'Slow down.', { retryAfter: 30 });
  };
  await expect(broker.run('sync', call)).rejects.toThrow('Slow down.');
  clock += 10_000;
  expect(broker.pausedFor()).toBe(20);
  await expect(broker.run('write', call)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 20 });
  clock += 20_000;
  await broker.run('write', call);
  expect(calls).toBe(2);
});
