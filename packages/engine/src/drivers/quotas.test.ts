import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { memoryQuotas, type Priority, quotaFor } from './quotas.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}

test('runs no more concurrent calls than the limit', async () => {
  const quota = quotaFor(memoryQuotas({ callsAtOnce: 2 }), 'a');
  const door = gate();
  let inside = 0;
  let most = 0;
  const calls = Array.from({ length: 6 }, () =>
    quota.run('sync', async () => {
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

test('runs waiting writes before reads, and reads before sync', async () => {
  const quota = quotaFor(memoryQuotas({ callsAtOnce: 1 }), 'a');
  const door = gate();
  const ran: string[] = [];
  const first = quota.run('sync', () => door.promise);
  const rest = (['sync', 'read', 'write', 'sync', 'write'] as Priority[]).map((priority) =>
    quota.run(priority, async () => void ran.push(priority)),
  );
  door.open();
  await Promise.all([first, ...rest]);
  expect(ran).toEqual(['write', 'write', 'read', 'sync', 'sync']);
});

test('counts the calls of each connection separately', async () => {
  const quotas = memoryQuotas({ callsAtOnce: 1 });
  const door = gate();
  const busy = quotaFor(quotas, 'a').run('sync', () => door.promise);
  expect(await quotaFor(quotas, 'b').run('sync', async () => 'called')).toBe('called');
  door.open();
  await busy;
});

test('refuses calls during a pause with the kind of error of the system', async () => {
  const quota = quotaFor(memoryQuotas({ now: () => 0 }), 'a');
  const busy = quota.run('sync', async () => {
    throw new SystemError('throttled', 'Slow down.', { retryAfter: 30 });
  });
  await expect(busy).rejects.toThrow('Slow down.');
  await expect(quota.run('write', async () => undefined)).rejects.toMatchObject({ kind: 'throttled' });
});

test('a pause has the kind of the error that requested it, also while a new record was searched for', async () => {
  const quota = quotaFor(memoryQuotas({ now: () => 0 }), 'a');
  const creating = quota.run('write', async () => {
    const cause = new SystemError('throttled', 'Slow down.', { retryAfter: 30 });
    throw new SystemError('unsearched', 'The list cannot be read.', { cause, retryAfter: 30 });
  });
  await expect(creating).rejects.toMatchObject({ kind: 'unsearched' });
  await expect(quota.run('sync', async () => undefined)).rejects.toMatchObject({ kind: 'throttled', retryAfter: 30 });
});

test.each([
  ['the driver itself wants to wait', 'unavailable', true],
  ['only one call is refused', 'rejected', false],
  ['one record is locked', 'conflict', false],
  ['the password is wrong', 'unauthorized', false],
] as const)('does not pause other calls if %s', async (_, kind, isOnlyForCall) => {
  const quota = quotaFor(memoryQuotas(), 'a');
  const failing = quota.run('write', async () => {
    throw new SystemError(kind, 'Not now.', { retryAfter: 30, isOnlyForCall });
  });
  await expect(failing).rejects.toMatchObject({ retryAfter: 30 });
  expect(await quota.run('sync', async () => 'called')).toBe('called');
});

test('records the text of a failure that clients do not see', async () => {
  const noted: string[] = [];
  const quota = quotaFor(memoryQuotas(), 'a', (text) => void noted.push(text));
  const failing = quota.run('write', async () => {
    throw new SystemError('rejected', 'A fault.', { cause: 'Failing row contains (7).' });
  });
  await expect(failing).rejects.toThrow('rejected: A fault.');
  expect(noted).toEqual(['Failing row contains (7).']);
});

test('does not call the system before its pause is over', async () => {
  let clock = 1_000_000;
  const quota = quotaFor(memoryQuotas({ now: () => clock }), 'a');
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls === 1) throw new SystemError('unavailable', 'Slow down.', { retryAfter: 30 });
  };
  await expect(quota.run('sync', call)).rejects.toThrow('Slow down.');
  clock += 10_000;
  expect(await quota.pausedFor()).toBe(20);
  await expect(quota.run('write', call)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 20 });
  clock += 20_000;
  await quota.run('write', call);
  expect(calls).toBe(2);
});

test('stores nothing for idle connections', async () => {
  let clock = 1_000_000;
  const quotas = memoryQuotas({ now: () => clock });
  const door = gate();
  const busy = quotaFor(quotas, 'busy').run('write', () => door.promise);
  await quotaFor(quotas, 'idle').run('write', async () => undefined);
  const paused = quotaFor(quotas, 'paused').run('write', async () => {
    throw new SystemError('throttled', 'Slow down.', { retryAfter: 30 });
  });
  await expect(paused).rejects.toThrow('Slow down.');
  expect(quotas.size).toBe(2);
  door.open();
  await busy;
  clock += 30_000;
  expect(quotas.size).toBe(0);
});
