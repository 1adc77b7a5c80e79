import type { MappedRecord } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { gadget } from '../../test/gadget.ts';
import {
  connectionLocks,
  dueQueues,
  enqueueWrite,
  forgetExpiredKeys,
  LockLost,
  listWrites,
  makeWriteDue,
  markWriteCancelled,
  type NewWrite,
  nextWrite,
  page,
  postpone,
  requeueWrite,
  type Scope,
  type StoredError,
  type StoredStep,
  saveRecords,
  saveSteps,
  saveStepsOf,
  settle,
  startAttempt,
  startNextAttempt,
  watchWrite,
  writeById,
  writeRecordOf,
} from '../index.ts';
import { DUE_QUEUES } from './write-queue.ts';

const { store, freshScope, admin, open } = await testDatabase();

const create: NewWrite = { operation: 'createGadget', entity: 'Gadget', op: 'create', body: { name: 'g' } };
const withKey = (key: string, fingerprint = 'f') => ({ ...create, idempotency: { key, fingerprint } });
const step: StoredStep = {
  ...{
    n: 1,
    kind: 'create',
    entity: 'Gadget',
    vendorObject: 'gadgets',
    vendorId: null,
    status: 'running',
    error: null,
  },
  ...{
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    prepared: { last: 5 },
    sentAt: '2026-01-01T00:00:01.000Z',
  },
};
const result = { id: null, _idValue: '1', links: [], record: {} };
const error: StoredError = { code: 'SERVICE_REJECTED', message: 'no', details: [] };

async function queued(scope: Scope, given: NewWrite = create) {
  return (await enqueueWrite(scope, given)).write;
}

/** An active connection, so that queues of others are not affected. */
async function knownScope() {
  const scope = freshScope();
  await admin.query(`update unified.connections set status = 'active' where id = $1`, [scope.connectionId]);
  return scope;
}

describe('queueing', () => {
  test('a write is added to the end of the queue, with the body that was sent', async () => {
    const scope = freshScope();
    const first = await queued(scope);
    const second = await queued(scope, { ...create, op: 'action', action: 'cancel', targetId: first.writeId });
    expect(first).toMatchObject({
      status: 'pending',
      seq: 1,
      body: { name: 'g' },
      attempts: 0,
      steps: [],
      targetId: null,
    });
    expect(second).toMatchObject({ seq: 2, action: 'cancel', targetId: first.writeId });
    expect((await nextWrite(scope))?.writeId).toBe(first.writeId);
    expect(await nextWrite(freshScope())).toBeNull();
  });

  test('fifty identical concurrent requests become one write', async () => {
    const scope = freshScope();
    const all = await Promise.all(Array.from({ length: 50 }, () => enqueueWrite(scope, withKey('k'))));
    expect(new Set(all.map(({ write }) => write.writeId)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await listWrites(scope, { limit: 100 })).writes).toHaveLength(1);
  });

  test('a key with another request is refused, and is independent of other connections', async () => {
    const scope = freshScope();
    await enqueueWrite(scope, withKey('k', 'one'));
    await expect(enqueueWrite(scope, withKey('k', 'other'))).rejects.toMatchObject({
      code: 'SERVICE_IDEMPOTENCY_MISMATCH',
    });
    expect((await enqueueWrite(freshScope(), withKey('k', 'other'))).replayed).toBe(false);
  });

  test('a key is remembered for 24 hours', async () => {
    const scope = freshScope();
    const first = await queued(scope, withKey('k'));
    const { rows } = await admin.query(
      `select "expiresAt" - "createdAt" = interval '24:00' as a_day
         from unified.idempotency join unified.writes using (connection_id, "writeId") where connection_id = $1`,
      [scope.connectionId],
    );
    expect(rows).toEqual([{ a_day: true }]);
    await admin.query(`update unified.idempotency set "expiresAt" = now() where connection_id = $1`, [
      scope.connectionId,
    ]);
    const second = await enqueueWrite(scope, withKey('k', 'other'));
    expect(second.replayed).toBe(false);
    expect(second.write.writeId).not.toBe(first.writeId);
    expect((await enqueueWrite(scope, withKey('k', 'other'))).write.writeId).toBe(second.write.writeId);
    await admin.query(`update unified.idempotency set "expiresAt" = now() where connection_id = $1`, [
      scope.connectionId,
    ]);
    expect(await forgetExpiredKeys(store)).toBe(1);
  });

  test('sequence numbers of the queue follow the order of commits', async () => {
    const scope = freshScope();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const write = await scope.transaction(async (inner) => {
          const made = await queued(inner);
          order.push(made.seq);
          return made;
        });
        const visible = (await listWrites(scope, { limit: 100 })).writes.filter(({ seq }) => seq < write.seq);
        expect(visible).toHaveLength(write.seq - 1);
      }),
    );
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('carrying out', () => {
  test('a write runs, records its steps and succeeds together with its record', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    expect(await startAttempt(scope, writeId)).toMatchObject({ status: 'running', attempts: 1 });
    await saveSteps(scope, writeId, [step], { warnings: [{ code: 'VALUE_ADJUSTED', message: 'm', field: 'name' }] });
    const settled = await scope.transaction(async (inner) => {
      const made: MappedRecord = { _source: 's', _idValue: '1', values: {}, references: {} };
      const { ids } = await saveRecords(inner, gadget, [made]);
      return settle(inner, writeId, { status: 'succeeded', result, synced: true, ...(ids[0] && { targetId: ids[0] }) });
    });
    expect(settled).toMatchObject({
      status: 'succeeded',
      result,
      synced: true,
      error: null,
      warnings: [{ field: 'name' }],
    });
    expect(settled.finishedAt).toMatch(/^\d{4}-.*Z$/);
    expect(settled.syncedAt).toBe(settled.finishedAt);
    expect((await page(scope, gadget, { conditions: [], sort: [], limit: 1 })).docs[0]).toContain(settled.targetId);
    expect(await nextWrite(scope)).toBeNull();
  });

  test('clients see the steps without the internal data of the worker', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await startAttempt(scope, writeId);
    const write = await saveSteps(scope, writeId, [step]);
    expect(write.steps).toEqual([step]);
    const { steps, ...record } = writeRecordOf(write);
    expect(steps).toEqual([expect.not.objectContaining({ prepared: expect.anything() })]);
    expect(Object.keys(record).sort()).toEqual(
      [
        'writeId',
        'operation',
        'entity',
        'op',
        'targetId',
        'idempotencyKey',
        'attempts',
        'status',
        'result',
        'leftovers',
      ]
        .concat([
          'warnings',
          'resolvedRefs',
          'synced',
          'syncedAt',
          'createdAt',
          'customFields',
          'nextAttemptAt',
          'finishedAt',
        ])
        .concat(['error'])
        .sort(),
    );
  });

  test('clients see when a postponed write is attempted again, until it is', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await startAttempt(scope, writeId);
    const at = '2099-01-02T03:04:05.000Z';
    expect(writeRecordOf(await postpone(scope, writeId, { at }))).toMatchObject({
      status: 'pending',
      nextAttemptAt: at,
    });
    expect(writeRecordOf(await startAttempt(scope, writeId)).nextAttemptAt).toBeNull();
  });

  test('errors have the HTTP status of their code, also one that a later release no longer has', async () => {
    const { write } = await enqueueWrite(freshScope(), create);
    const statusOf = (code: string) =>
      writeRecordOf({ ...write, error: { ...error, code } as StoredError }).error?.status;
    expect(['SERVICE_REJECTED', 'SERVICE_OF_BEFORE'].map(statusOf)).toEqual([422, 500]);
  });

  test('a worker can neither repeat nor save an attempt after another worker has started the next one', async () => {
    const scope = freshScope();
    const write = await queued(scope);
    const first = await startNextAttempt(scope, write);
    await expect(startNextAttempt(scope, write)).rejects.toThrow(LockLost);
    const second = await startNextAttempt(scope, first);
    for (const durable of [true, false]) {
      await expect(saveStepsOf(scope, first, { steps: [step] }, { durable })).rejects.toThrow(LockLost);
      const saved = await saveStepsOf(scope, second, { steps: [step] }, { durable });
      expect(saved).toMatchObject({ attempts: 2, steps: [step] });
    }
    await settle(scope, write.writeId, { status: 'failed', error });
    for (const late of [() => saveStepsOf(scope, second, { steps: [] }), () => startNextAttempt(scope, second)])
      await expect(late()).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
  });

  test('a postponed write keeps its place', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await queued(scope);
    await startAttempt(scope, writeId);
    await postpone(scope, writeId, { at: '2999-01-01T00:00:00.000Z', error, steps: [step] });
    expect(await nextWrite(scope)).toMatchObject({
      writeId,
      status: 'pending',
      nextAttemptAt: '2999-01-01T00:00:00.000Z',
      error,
    });
    expect(await startAttempt(scope, writeId)).toMatchObject({ attempts: 2, nextAttemptAt: null });
  });

  test('an unknown outcome stays at the head until it is verified', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await queued(scope);
    await startAttempt(scope, writeId);
    expect(await settle(scope, writeId, { status: 'unknown', error })).toMatchObject({
      status: 'unknown',
      finishedAt: null,
    });
    expect(await nextWrite(scope)).toMatchObject({ writeId, status: 'unknown' });
    await postpone(scope, writeId, { at: '2999-01-01T00:00:00Z', status: 'unknown' });
    expect(await makeWriteDue(scope, writeId)).toMatchObject({ nextAttemptAt: null });
    await settle(scope, writeId, { status: 'succeeded', result });
    expect((await nextWrite(scope))?.seq).toBe(2);
  });

  test('waiting requests are notified of the outcome after it is committed, even through another store', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await startAttempt(scope, writeId);
    const other = (await open()).scope(scope);
    const watch = await watchWrite(other, writeId, { ms: 60_000 });
    await settle(scope, writeId, { status: 'failed', error });
    await watch.noticed;
    expect(await writeById(other, writeId)).toMatchObject({ status: 'failed', error });
  });
});

describe('states', () => {
  test('a write can be cancelled before it is sent and queued again at the end', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await queued(scope);
    expect(await markWriteCancelled(scope, writeId)).toMatchObject({
      status: 'cancelled',
      finishedAt: expect.any(String),
    });
    expect(await requeueWrite(scope, writeId)).toMatchObject({
      status: 'pending',
      seq: 3,
      finishedAt: null,
      error: null,
    });
  });

  test.each(['cancel', 'retry', 'verify'] as const)('a running write refuses to %s', async (name) => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await startAttempt(scope, writeId);
    const action = { cancel: markWriteCancelled, retry: requeueWrite, verify: makeWriteDue }[name];
    await expect(action(scope, writeId)).rejects.toMatchObject({
      code: 'SERVICE_WRITE_STATE',
      details: { status: 'running' },
    });
  });

  test('a settled write refuses a second outcome', async () => {
    const scope = freshScope();
    const { writeId } = await queued(scope);
    await startAttempt(scope, writeId);
    await settle(scope, writeId, { status: 'failed', error });
    await expect(settle(scope, writeId, { status: 'succeeded', result })).rejects.toMatchObject({
      code: 'SERVICE_WRITE_STATE',
    });
    await expect(startAttempt(scope, writeId)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
  });

  test('a write of another connection does not exist', async () => {
    const { writeId } = await queued(freshScope());
    const stranger = freshScope();
    expect(await writeById(stranger, writeId)).toBeNull();
    expect(await writeById(stranger, 'no uuid')).toBeNull();
    await expect(markWriteCancelled(stranger, writeId)).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
  });
});

test('write records are listed newest first, by state, entity and target, page by page', async () => {
  const scope = freshScope();
  const target = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
  const writes = [];
  for (let i = 0; i < 5; i++)
    writes.push(await queued(scope, { ...create, targetId: i % 2 ? target : null, entity: `E${i % 2}` }));
  const ids = writes.map(({ writeId }) => writeId).reverse();
  await markWriteCancelled(scope, ids[0] ?? '');
  const first = await listWrites(scope, { limit: 2 });
  expect(first.writes.map(({ writeId }) => writeId)).toEqual(ids.slice(0, 2));
  const rest = await listWrites(scope, { limit: 9, cursor: first.nextCursor ?? '' });
  expect(rest.writes.map(({ writeId }) => writeId)).toEqual(ids.slice(2));
  expect(rest).toMatchObject({ hasMore: false, nextCursor: null });
  expect((await listWrites(scope, { limit: 9, status: 'cancelled' })).writes).toHaveLength(1);
  expect((await listWrites(scope, { limit: 9, entity: 'E1', targetId: target })).writes).toHaveLength(2);
  await expect(listWrites(scope, { limit: 9, cursor: 'x' })).rejects.toMatchObject({ code: 'SERVICE_INVALID_CURSOR' });
});

describe('queues with work', () => {
  const due = () => dueQueues(store, 100);

  test('are found for active connections whose first unsettled write is due', async () => {
    const [busy, idle, waiting] = [await knownScope(), await knownScope(), await knownScope()];
    await queued(busy);
    await markWriteCancelled(idle, (await queued(idle)).writeId);
    const { writeId } = await startAttempt(waiting, (await queued(waiting)).writeId);
    await queued(waiting);
    await postpone(waiting, writeId, { at: '2999-01-01T00:00:00Z' });
    expect(await due()).toEqual([busy.connectionId]);
    await startAttempt(waiting, writeId);
    await postpone(waiting, writeId, { at: '2000-01-01T00:00:00Z' });
    expect(await due()).toEqual([busy.connectionId, waiting.connectionId]);
    expect(await dueQueues(store, 1)).toEqual([busy.connectionId]);
    for (const { connectionId } of [busy, waiting])
      await admin.query(`update unified.connections set status = 'inactive' where id = $1`, [connectionId]);
    expect(await due()).toEqual([]);
  });

  test('are found without reading the writes that wait behind the first', async () => {
    const { connectionId } = await knownScope();
    await admin.query(
      `insert into unified.writes (connection_id, "writeId", seq, operation, entity, op, status)
       select $1, gen_random_uuid(), seq, 'createGadget', 'Gadget', 'create', 'pending' from generate_series(1, 5000) seq`,
      [connectionId],
    );
    await admin.query('analyze unified.writes');
    const { rows } = await admin.query(`explain (analyze, format json) ${DUE_QUEUES}`, [100]);
    const queues = await admin.query(
      `select distinct connection_id from unified.writes where status in ('pending', 'running', 'unknown')`,
    );
    expect(rowsRead(rows[0]['QUERY PLAN'], 'writes')).toBe(queues.rows.length);
  });

  interface PlanNode {
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows'?: number;
    readonly 'Actual Loops'?: number;
  }

  /** Number of rows that a plan read from a table. */
  function rowsRead(plan: unknown, table: string): number {
    if (typeof plan !== 'object' || plan === null) return 0;
    const { 'Relation Name': name, 'Actual Rows': rows = 0, 'Actual Loops': loops = 0 } = plan as PlanNode;
    const below = Object.values(plan).reduce((sum: number, each) => sum + rowsRead(each, table), 0);
    return below + (name === table ? Math.round(rows * loops) : 0);
  }
});

describe('locks of a connection', () => {
  const connectionId = () => freshScope().connectionId;

  test('have one holder at a time', async () => {
    const [one, other] = [connectionLocks(store), connectionLocks(await open())];
    const id = connectionId();
    const lock = await one.take('writes', id);
    expect(lock).not.toBeNull();
    expect(await one.take('writes', id)).toBeNull();
    expect(await other.take('writes', id)).toBeNull();
    expect(await other.take('sync', id)).not.toBeNull();
    expect(await other.take('writes', connectionId())).not.toBeNull();
    await lock?.release();
    expect(await other.take('writes', id)).not.toBeNull();
    await one.close();
    await other.close();
  });

  test('are lost with their database connection, and the holder is notified', async () => {
    const [one, other] = [connectionLocks(store), connectionLocks(store)];
    const id = connectionId();
    const lock = await one.take('sync', id);
    expect(() => lock?.assertHeld()).not.toThrow();
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unified locks'`,
    );
    await expect.poll(() => other.take('sync', id), { interval: 5 }).not.toBeNull();
    await expect.poll(() => isLost(() => lock?.assertHeld()), { interval: 5 }).toBe(true);
    expect(await one.take('sync', id)).toBeNull();
    await one.close();
    await other.close();
  });

  const isLost = (assertHeld: () => void) => {
    try {
      assertHeld();
      return false;
    } catch (caught) {
      return caught instanceof LockLost;
    }
  };

  test.each([
    ['writes', ''],
    ['sync', 'sync '],
  ] as const)('exclude workers of earlier releases, whose lock of %s has another name', async (work, word) => {
    const locks = connectionLocks(store);
    const id = connectionId();
    const earlier = (how: string) =>
      admin.query<{ taken: boolean }>(`select ${how}(hashtextextended('lane ' || $1, 0)) as taken`, [word + id]);
    await earlier('pg_advisory_lock');
    expect(await locks.take(work, id)).toBeNull();
    await earlier('pg_advisory_unlock');
    const lock = await locks.take(work, id);
    expect((await earlier('pg_try_advisory_lock')).rows).toEqual([{ taken: false }]);
    await lock?.release();
    expect((await earlier('pg_try_advisory_lock')).rows).toEqual([{ taken: true }]);
    await earlier('pg_advisory_unlock');
    await locks.close();
  });
});
