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

test('`rel` says which kind of record is meant, and must be one that the field may point to', async () => {
  const { write } = await world.site();
  await write({ entity: 'Currency', input: { name: 'Euro', code: 'EUR', isoCode: 'EUR' } });
  const currency = { _displayValue: 'Euro', rel: 'Currency' };
  expect(await write({ input: { name: 'ACME', currency } })).toMatchObject({ status: 'succeeded' });
  const refused = await write({ input: { name: 'ACME', currency: { ...currency, rel: 'Vendor' } } });
  expect(refused.error).toMatchObject({
    code: 'SERVICE_UNRESOLVED_REFERENCE',
    message: expect.stringContaining('cannot point to a Vendor'),
  });
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
