import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { internalsOf } from '../access/store.ts';
import { fairClients } from './fair-clients.ts';

const { open } = await testDatabase();

/** A transaction that holds a client until `end`; `began` resolves when it has one. */
function holding(scope: Scope) {
  const began = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const ended = scope.transaction(async () => {
    began.resolve();
    await held.promise;
  });
  return { began: began.promise, end: () => held.resolve(), ended };
}

const select = (scope: Scope) => sessionOf(scope).run('select 1 as one');

test('an application leaves two clients to others; its other requests wait, those of other applications do not', async () => {
  const store = await open({ poolSize: 4 });
  const applicationId = randomUUID();
  const scope = () => store.scope({ applicationId, connectionId: randomUUID() });
  const held = [holding(scope()), holding(scope())];
  await Promise.all(held.map(({ began }) => began));
  const events: string[] = [];
  const third = holding(scope());
  void third.began.then(() => events.push('third of the application'));
  const fourth = select(scope()).then(() => events.push('fourth of the application'));
  const others = [randomUUID(), randomUUID()].map((id) =>
    store.scope({ applicationId: id, connectionId: randomUUID() }),
  );
  // Two clients are free, so both are held at the same time.
  const strangers = others.map((other) => holding(other));
  await Promise.all(strangers.map(({ began }) => began));
  events.push('other applications');
  for (const each of strangers) each.end();
  await Promise.all(strangers.map(({ ended }) => ended));
  expect(events).toEqual(['other applications']);
  held[0]?.end();
  await third.began;
  held[1]?.end();
  await fourth;
  expect(events).toEqual(['other applications', 'third of the application', 'fourth of the application']);
  third.end();
  await Promise.all([...held, third].map(({ ended }) => ended));
  expect(await select(scope())).toEqual([{ one: 1 }]);
});

test('an owner that waits too long is refused, and keeps its clients', async () => {
  const { tenants } = internalsOf(await open());
  const { use } = fairClients(tenants, { most: 1, waitMs: 1 })('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const first = use(async () => {
    began.resolve();
    await promise;
  });
  await began.promise;
  await expect(use(async () => 'second')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  resolve();
  await first;
  expect(await use(async () => 'third')).toBe('third');
});
