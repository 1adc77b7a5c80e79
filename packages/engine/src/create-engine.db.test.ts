import { forgetExpiredKeys } from '@unified/store';
import pg from 'pg';
import { expect, test } from 'vitest';
import { fastRetries } from '../test/fast-retries.ts';
import { SETTLE_AFTER } from '../test/faulty-driver.ts';
import { startHarness } from '../test/harness.ts';

const harness = await startHarness();
/** Milliseconds that a write waits after it could not be sent: long enough for a test to cancel it. */
const AGES = 1e12;
await harness.worker({ policies: { ...fastRetries, send: { ...fastRetries.send, firstMs: AGES, longestMs: AGES } } });
const { engine } = harness;

test('the same key returns the same write, and is refused with another body', async () => {
  const { scope, system, settled } = await harness.site();
  const request = {
    operation: 'createVendor',
    entity: 'Vendor',
    op: 'create',
    input: { name: 'ACME' },
    idempotencyKey: 'k',
  } as const;
  const answers = await Promise.all(Array.from({ length: 10 }, () => engine.submitWrite(scope, request)));
  expect(new Set(answers.map(({ writeId }) => writeId)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  await settled(answers[0]?.writeId ?? '');
  expect(system.log).toEqual(['create ACME']);
  await expect(engine.submitWrite(scope, { ...request, input: { name: 'Other' } })).rejects.toMatchObject({
    code: 'SERVICE_IDEMPOTENCY_MISMATCH',
  });
});

test('a dry run returns the steps and warnings and stores nothing', async () => {
  const { scope, system } = await harness.site();
  const plan = await engine.planWrite(scope, {
    operation: 'createVendor',
    entity: 'Vendor',
    op: 'create',
    input: { name: 'ACME', phone: '1' },
  });
  expect(plan).toMatchObject({ status: 'planned', attempts: 0, warnings: [{ field: 'phone' }] });
  expect(plan.steps.map(({ kind, status }) => [kind, status])).toEqual(
    ['resolve', 'create', 'read', 'store'].map((kind) => [kind, 'planned']),
  );
  expect(system.calls()).toBe(0);
  expect((await engine.listWrites(scope, { limit: 10 })).data).toEqual([]);
});

test('what the system cannot do is refused before it is queued', async () => {
  const { scope } = await harness.site();
  const request = { operation: 'createItem', entity: 'Item', op: 'create', input: {} } as const;
  await expect(engine.submitWrite(scope, request)).rejects.toMatchObject({ code: 'SERVICE_NOT_SUPPORTED' });
});

test('a waiting write can be cancelled, and the queue continues', async () => {
  const { scope, system, createVendor, settled } = await harness.site();
  system.faults.write.push('away');
  const first = await createVendor('First');
  const second = await createVendor('Second');
  await expect.poll(() => engine.writeById(scope, first)).toMatchObject({ status: 'pending', attempts: 1 });
  expect(await engine.cancelWrite(scope, first)).toMatchObject({ write: { status: 'cancelled' } });
  expect(await settled(second)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create Second']);
  await expect(engine.cancelWrite(scope, second)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
});

test('a failed write can be retried, a succeeded one cannot', async () => {
  const { scope, system, write, settled } = await harness.site();
  system.faults.write.push('no');
  const { writeId } = await write({ input: { name: 'ACME' } });
  expect(await engine.retryWrite(scope, writeId)).toMatchObject({ write: { status: 'pending' } });
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(system.log).toEqual(['create ACME']);
  await expect(engine.retryWrite(scope, writeId)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
});

test('retrying a create with an unknown outcome verifies it first', async () => {
  const { scope, system, createVendor, settled } = await harness.site();
  system.faults.write.push('lost');
  // The first read is the preparation; the others verify and get unusable responses.
  system.faults.read.push(null, ...Array.from({ length: 4 }, () => 'garbage' as const));
  const writeId = await createVendor('ACME');
  const failed = await settled(writeId);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'SERVICE_OUTCOME_UNKNOWN' } });
  expect(failed.leftovers).toMatchObject([{ entity: 'Vendor', handling: 'manual' }]);
  await engine.retryWrite(scope, writeId);
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create ACME']);
});

test.each(['between two checks', 'during a check'])(
  'a request to verify that arrives %s prevents the write from being sent again',
  async (moment) => {
    const { scope, system, createVendor, settled } = await harness.site();
    system.faults.write.push('dropped');
    // The preparation succeeds; then verification is blocked until the test allows it.
    system.faults.read.push(null, ...Array.from({ length: 1_000 }, () => 'away' as const));
    const writeId = await createVendor('ACME');
    const sentLongAgo = async () => {
      const { status, createdAt } = await engine.writeById(scope, writeId);
      return status === 'unknown' && Date.now() - Date.parse(createdAt) > 2 * SETTLE_AFTER;
    };
    await expect.poll(sentLongAgo).toBe(true);
    const look = moment === 'during a check' ? system.holdNext('look') : undefined;
    if (look) system.faults.read.length = 0;
    await look?.made;
    await engine.verifyWrite(scope, writeId);
    system.faults.read.length = 0;
    look?.letGo();
    expect(await settled(writeId)).toMatchObject({ status: 'failed', attempts: 1, leftovers: [] });
    expect(system.log).toEqual([]);
  },
);

test('a create that cannot be read back has still succeeded', async () => {
  const { system, write } = await harness.site();
  system.faults.read.push(null, ...Array.from({ length: 4 }, () => 'away' as const));
  const record = await write({ input: { name: 'ACME' } });
  expect(record).toMatchObject({ status: 'succeeded', synced: false, result: { id: null, _idValue: '1' } });
  expect(system.log).toEqual(['create ACME']);
});

test('a row that turns out to be of another kind is listed as a leftover', async () => {
  const { system, createVendor, settled } = await harness.site();
  system.onCreate = (row) => ({ ...row, kind: 'spare part' });
  const record = await settled(await createVendor('ACME'));
  expect(record).toMatchObject({ status: 'failed', error: { code: 'SERVICE_SYSTEM_INVALID' } });
  expect(record.leftovers).toEqual([
    { entity: 'Vendor', vendorObject: 'rows', vendorId: '1', id: null, handling: 'kept' },
  ]);
});

test('a create is reversed by a delete, an update by the previous values', async () => {
  const { scope, system, write, settled } = await harness.site();
  const created = await write({ input: { name: 'ACME', terms: 'Net 30' } });
  const targetId = created.targetId ?? '';
  const updated = await write({ op: 'update', targetId, input: { terms: 'Net 45' } });
  const back = await settled((await engine.compensateWrite(scope, updated.writeId)).write.writeId);
  expect(back).toMatchObject({ status: 'succeeded', op: 'update', result: { record: { terms: 'Net 30' } } });
  const { write: gone } = await engine.compensateWrite(scope, created.writeId);
  expect((await engine.compensateWrite(scope, created.writeId)).write.writeId).toBe(gone.writeId);
  expect(gone.idempotencyKey).toBeNull();
  expect(await settled(gone.writeId)).toMatchObject({ status: 'succeeded', op: 'delete' });
  expect(system.rows.size).toBe(0);
  await expect(engine.compensateWrite(scope, gone.writeId)).rejects.toMatchObject({ code: 'SERVICE_NOT_REVERSIBLE' });
});

test('a write that was reversed a day ago is not reversed again', async () => {
  const { scope, write, settled } = await harness.site();
  const { targetId } = await write({ input: { name: 'ACME', terms: 'Net 30' } });
  const change = (terms: string) => write({ op: 'update', targetId: targetId ?? '', input: { terms } });
  const { writeId } = await change('Net 45');
  const { write: back } = await engine.compensateWrite(scope, writeId);
  await settled(back.writeId);
  await change('Net 60');
  const admin = new pg.Client(harness.databaseUrl);
  await admin.connect();
  await admin.query(`update unified.idempotency set "expiresAt" = "expiresAt" - interval '25 hours'`);
  await admin.end();
  await forgetExpiredKeys(harness.store);
  expect((await engine.compensateWrite(scope, writeId)).write.writeId).toBe(back.writeId);
});

test('a replacement and a create of an entity that clients can only replace are reversed', async () => {
  const { scope, write, settled } = await harness.site();
  const created = await write({ entity: 'Partner', input: { name: 'ACME', isActive: true } });
  const targetId = created.targetId ?? '';
  const replaced = await write({ entity: 'Partner', op: 'replace', targetId, input: { name: 'Other' } });
  const back = await settled((await engine.compensateWrite(scope, replaced.writeId)).write.writeId);
  expect(back).toMatchObject({ status: 'succeeded', op: 'update', result: { record: { name: 'ACME' } } });
  const hidden = await settled((await engine.compensateWrite(scope, created.writeId)).write.writeId);
  expect(hidden).toMatchObject({ status: 'succeeded', result: { record: { name: 'ACME', isActive: 'false' } } });
  const updating = write({ entity: 'Partner', op: 'update', targetId, input: { name: 'Third' } });
  await expect(updating).rejects.toMatchObject({ code: 'SERVICE_NOT_SUPPORTED' });
});

test('a reversal keeps a value that is written but not read', async () => {
  const { scope, system, write, settled } = await harness.site();
  const { targetId } = await write({ entity: 'Partner', input: { name: 'ACME', notes: 'Night shift' } });
  const input = { name: 'Other', notes: 'Day shift' };
  const replaced = await write({ entity: 'Partner', op: 'replace', targetId: targetId ?? '', input });
  await settled((await engine.compensateWrite(scope, replaced.writeId)).write.writeId);
  expect([...system.rows.values()]).toMatchObject([{ name: 'ACME', notes: 'Day shift' }]);
});

test('an action whose reason the system cannot store needs no record with this reason', async () => {
  const { write, system } = await harness.site();
  const { targetId } = await write({ entity: 'PurchaseOrder', input: { name: 'Grease' } });
  const input = { reason: { _displayValue: 'Duplicate' }, note: 'See 7' };
  const cancelled = await write({
    entity: 'PurchaseOrder',
    op: 'action',
    action: 'cancel',
    targetId: targetId ?? '',
    input,
  });
  expect(cancelled).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'FIELD_NOT_SUPPORTED', field: 'reason' }],
  });
  expect(system.log).toEqual(['create Grease', 'act 1 cancel']);
});

test('waiting times out with the current state of the write', async () => {
  const { scope, system, createVendor, settled } = await harness.site();
  system.admit(0);
  const writeId = await createVendor('ACME');
  expect((await engine.waitForWrite(scope, writeId, 50)).finishedAt).toBeNull();
  system.admit(1);
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded' });
});
