import { entities } from '@unified/contract';
import { find } from '@unified/store';
import { expect, test } from 'vitest';
import { startWorld } from '../../test/world.ts';

const world = await startWorld();
await world.worker();
const { engine } = world;

test('a create ends in the connected system, in the records and in a settled write', async () => {
  const { system, scope, write } = await world.site();
  const record = await write({ input: { name: 'ACME', terms: 'Net 30' } });
  expect(record).toMatchObject({ status: 'succeeded', synced: true, attempts: 1, error: null, leftovers: [] });
  expect(record.steps.map(({ n, kind, status }) => [n, kind, status])).toEqual([
    [1, 'resolve', 'succeeded'],
    [2, 'create', 'succeeded'],
    [3, 'read', 'succeeded'],
    [4, 'store', 'succeeded'],
  ]);
  expect(record.result?.record).toMatchObject({ name: 'ACME', terms: 'Net 30' });
  const doc = await find(scope, entities.Vendor, record.targetId ?? '');
  expect(JSON.parse(doc ?? '')).toMatchObject({ name: 'ACME', _idValue: record.result?._idValue });
  expect(system.log).toEqual(['create ACME']);
});

test('an update and a delete reach the row that the record stands for', async () => {
  const { system, scope, write } = await world.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  const id = targetId ?? '';
  const updated = await write({ op: 'update', targetId: id, input: { terms: 'Net 45' } });
  expect(updated.result?.record.terms).toBe('Net 45');
  const deleted = await write({ op: 'delete', targetId: id });
  expect(deleted).toMatchObject({ status: 'succeeded', synced: true });
  expect(system.rows.size).toBe(0);
  const doc = JSON.parse((await find(scope, entities.Vendor, id)) ?? '');
  expect(doc._deletedAt).not.toBeNull();
});

test('references are looked up by label, and unknown ones fail the write before anything is sent', async () => {
  const { system, write } = await world.site();
  const currency = await write({ entity: 'Currency', input: { name: 'Euro', code: 'EUR', isoCode: 'EUR' } });
  for (const given of [{ _displayValue: 'Euro' }, { _displayValue: 'EUR' }, { id: currency.targetId }]) {
    const vendor = await write({ input: { name: 'ACME', currency: given } });
    expect(vendor.resolvedRefs).toMatchObject([
      { field: 'currency', link: { id: currency.targetId, rel: 'Currency' } },
    ]);
    expect(vendor.result?.links).toMatchObject([{ field: 'currency', id: currency.targetId }]);
  }
  const calls = system.calls();
  const refused = await write({ input: { name: 'ACME', currency: { _displayValue: 'Dollar' } } });
  expect(refused.status).toBe('failed');
  expect(refused.error).toMatchObject({ code: 'SERVICE_UNRESOLVED_REFERENCE', details: [{ field: 'currency' }] });
  expect(system.calls()).toBe(calls);
});

test('what the system has no place for is left out with a warning', async () => {
  const { write } = await world.site();
  const record = await write({ input: { name: 'ACME', phone: '1', accountPayable: { _displayValue: 'x' } } });
  expect(record.status).toBe('succeeded');
  expect(record.warnings.map(({ code, field }) => [code, field])).toEqual([
    ['FIELD_NOT_SUPPORTED', 'accountPayable'],
    ['FIELD_NOT_SUPPORTED', 'phone'],
  ]);
});

test.each([
  { fault: 'no', code: 'SERVICE_REJECTED', words: 'Name is not to our taste' },
  { fault: 'bill', code: 'SERVICE_PAYMENT_REQUIRED', words: 'Subscription expired' },
] as const)(
  'a refusal ($fault) fails the write at once, in the words of the system',
  async ({ fault, code, words }) => {
    const { system, write } = await world.site();
    system.faults.write.push(fault);
    expect(await write({ input: { name: 'ACME' } })).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code, message: words },
    });
    expect(system.rows.size).toBe(0);
  },
);

test.each(['away', 'busy'] as const)('a system that is %s is tried again until it takes the write', async (fault) => {
  const { system, write } = await world.site();
  system.faults.write.push(fault, fault === 'busy' ? null : fault);
  const record = await write({ input: { name: 'ACME' } });
  expect(record).toMatchObject({ status: 'succeeded', error: null });
  expect(record.attempts).toBeGreaterThan(1);
  expect(system.log).toEqual(['create ACME']);
});

test.each([
  { fault: 'away', code: 'SERVICE_SYSTEM_UNAVAILABLE' },
  { fault: 'locked', code: 'SERVICE_SYSTEM_UNAUTHORIZED' },
] as const)('a system that stays $fault fails the write after the last attempt', async ({ fault, code }) => {
  const { system, write } = await world.site();
  system.faults.write.push(...Array.from({ length: 10 }, () => fault));
  expect(await write({ input: { name: 'ACME' } })).toMatchObject({ status: 'failed', attempts: 4, error: { code } });
});

test.each(['lost', 'garbage'] as const)(
  'a create that was done although the answer was %s is found, not repeated',
  async (fault) => {
    const { system, write } = await world.site();
    system.faults.write.push(fault);
    const record = await write({ input: { name: 'ACME' } });
    expect(record).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(record.steps.map(({ kind }) => kind)).toEqual(['resolve', 'create', 'verify', 'read', 'store']);
    expect(system.log).toEqual(['create ACME']);
  },
);

test('a create that got lost on its way is sent again, but not before it can no longer arrive', async () => {
  const { system, write } = await world.site();
  system.faults.write.push('dropped');
  const record = await write({ input: { name: 'ACME' } });
  expect(record).toMatchObject({ status: 'succeeded', attempts: 2 });
  const [first, second] = record.steps.filter(({ kind }) => kind === 'create');
  const apart = Date.parse(second?.startedAt ?? '') - Date.parse(first?.startedAt ?? '');
  expect(apart).toBeGreaterThanOrEqual(150);
  expect(system.log).toEqual(['create ACME']);
});

test.each(['lost', 'dropped'] as const)('an update whose answer was %s is settled by comparing', async (fault) => {
  const { system, write } = await world.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  system.faults.write.push(fault);
  const record = await write({ op: 'update', targetId: targetId ?? '', input: { terms: 'Net 45' } });
  expect(record).toMatchObject({ status: 'succeeded', attempts: fault === 'lost' ? 1 : 2 });
  expect(system.log).toEqual(['create ACME', 'update 1 ']);
});

test.each(['lost', 'dropped'] as const)('a delete whose answer was %s is settled by looking', async (fault) => {
  const { system, write } = await world.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  system.faults.write.push(fault);
  expect(await write({ op: 'delete', targetId: targetId ?? '' })).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create ACME', 'delete 1 ']);
});

test.each([
  { action: 'start', fault: 'lost' },
  { action: 'start', fault: 'dropped' },
  { action: 'assign', fault: 'lost' },
  { action: 'assign', fault: 'dropped' },
] as const)('the action $action whose answer was $fault is done exactly once', async ({ action, fault }) => {
  const { system, write } = await world.site();
  const { targetId } = await write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  system.faults.write.push(fault);
  const record = await write({ op: 'action', entity: 'WorkOrder', action, targetId: targetId ?? '' });
  expect(record).toMatchObject({ status: 'succeeded', attempts: fault === 'lost' ? 1 : 2 });
  expect(system.log).toEqual(['create Pump', `act 1 ${action}`]);
});

test('writes of a connection keep their order over failures', async () => {
  const { system, createVendor, settled } = await world.site();
  system.faults.write.push('away', 'lost', null, 'dropped', 'no', 'garbage', 'busy');
  const names = Array.from({ length: 8 }, (_, n) => `V${n}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await createVendor(name));
  const records = await Promise.all(ids.map(settled));
  const failed = records.flatMap(({ status }, n) => (status === 'failed' ? [names[n]] : []));
  expect(failed).toHaveLength(1);
  expect(system.log).toEqual(names.filter((name) => !failed.includes(name)).map((name) => `create ${name}`));
});

test('a connection in trouble keeps no other waiting', async () => {
  const [troubled, healthy] = [await world.site(), await world.site()];
  troubled.system.faults.write.push(...Array.from({ length: 10 }, () => 'dropped' as const));
  const stuck = await troubled.createVendor('Stuck');
  const record = await healthy.write({ input: { name: 'Fine' } });
  expect(record.status).toBe('succeeded');
  expect((await engine.writeById(troubled.scope, stuck)).finishedAt).toBeNull();
});

test('the same key gives the same write, another body with it is refused', async () => {
  const { scope, system, settled } = await world.site();
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

test('a dry run tells the steps and warnings and leaves no trace', async () => {
  const { scope, system } = await world.site();
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
  const { scope } = await world.site();
  const request = { operation: 'createItem', entity: 'Item', op: 'create', input: {} } as const;
  await expect(engine.submitWrite(scope, request)).rejects.toMatchObject({ code: 'SERVICE_NOT_SUPPORTED' });
});

test('a waiting write can be cancelled, and what stood behind it goes on', async () => {
  const { scope, system, createVendor, settled } = await world.site();
  system.faults.write.push('busy');
  const first = await createVendor('First');
  const second = await createVendor('Second');
  await expect.poll(async () => (await engine.writeById(scope, first)).attempts).toBe(1);
  await expect.poll(async () => (await engine.writeById(scope, first)).status).toBe('pending');
  expect(await engine.cancelWrite(scope, first)).toMatchObject({ status: 'cancelled' });
  expect(await settled(second)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create Second']);
  await expect(engine.cancelWrite(scope, second)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
});

test('a failed write can be retried, a succeeded one cannot', async () => {
  const { scope, system, write, settled } = await world.site();
  system.faults.write.push('no');
  const { writeId } = await write({ input: { name: 'ACME' } });
  expect(await engine.retryWrite(scope, writeId)).toMatchObject({ status: 'pending' });
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(system.log).toEqual(['create ACME']);
  await expect(engine.retryWrite(scope, writeId)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
});

test('retrying a create whose outcome nobody could tell looks for it first', async () => {
  const { scope, system, createVendor, settled } = await world.site();
  system.faults.write.push('lost');
  // The first reading call is the preparation, the others are looks that the system does not answer sensibly.
  system.faults.read.push(null, ...Array.from({ length: 4 }, () => 'garbage' as const));
  const writeId = await createVendor('ACME');
  const failed = await settled(writeId);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'SERVICE_OUTCOME_UNKNOWN' } });
  expect(failed.leftovers).toMatchObject([{ entity: 'Vendor', handling: 'manual' }]);
  await engine.retryWrite(scope, writeId);
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create ACME']);
});

test('a request to verify never sends the write again', async () => {
  const { scope, system, createVendor, settled } = await world.site();
  system.faults.write.push('dropped');
  system.faults.read.push(null, 'away');
  const writeId = await createVendor('ACME');
  await expect.poll(async () => (await engine.writeById(scope, writeId)).status, { interval: 5 }).toBe('unknown');
  await engine.verifyWrite(scope, writeId);
  expect(await settled(writeId)).toMatchObject({ status: 'failed', attempts: 1 });
  expect(system.log).toEqual([]);
});

test('a create that cannot be read back has succeeded all the same', async () => {
  const { system, write } = await world.site();
  system.faults.read.push(null, ...Array.from({ length: 4 }, () => 'away' as const));
  const record = await write({ input: { name: 'ACME' } });
  expect(record).toMatchObject({ status: 'succeeded', synced: false, result: { id: null, _idValue: '1' } });
  expect(system.log).toEqual(['create ACME']);
});

test('a row that turns out to be something else is named as a leftover', async () => {
  const { system, createVendor, settled } = await world.site();
  system.onCreate = (row) => ({ ...row, kind: 'spare part' });
  const record = await settled(await createVendor('ACME'));
  expect(record).toMatchObject({ status: 'failed', error: { code: 'SERVICE_SYSTEM_INVALID' } });
  expect(record.leftovers).toEqual([
    { entity: 'Vendor', vendorObject: 'rows', vendorId: '1', id: null, handling: 'kept' },
  ]);
});

test('a create is taken back by a delete, an update by the values of before', async () => {
  const { scope, system, write, settled } = await world.site();
  const created = await write({ input: { name: 'ACME', terms: 'Net 30' } });
  const targetId = created.targetId ?? '';
  const updated = await write({ op: 'update', targetId, input: { terms: 'Net 45' } });
  const back = await settled((await engine.compensateWrite(scope, updated.writeId)).writeId);
  expect(back).toMatchObject({ status: 'succeeded', op: 'update', result: { record: { terms: 'Net 30' } } });
  const gone = await engine.compensateWrite(scope, created.writeId);
  expect((await engine.compensateWrite(scope, created.writeId)).writeId).toBe(gone.writeId);
  expect(await settled(gone.writeId)).toMatchObject({ status: 'succeeded', op: 'delete' });
  expect(system.rows.size).toBe(0);
  await expect(engine.compensateWrite(scope, gone.writeId)).rejects.toMatchObject({ code: 'SERVICE_WRITE_STATE' });
});

test('waiting ends when the time is over, with the write as it stands', async () => {
  const { scope, system, createVendor, settled } = await world.site();
  system.faults.write.push('slow');
  const writeId = await createVendor('ACME');
  expect((await engine.waitForWrite(scope, writeId, 50)).finishedAt).toBeNull();
  expect(await settled(writeId)).toMatchObject({ status: 'succeeded' });
});
