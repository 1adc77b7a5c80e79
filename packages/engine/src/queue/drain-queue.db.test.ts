import type { Row } from '@unified/connectors';
import { entities } from '@unified/contract';
import { enqueueWrite, find } from '@unified/store';
import { describe, expect, test } from 'vitest';
import { UNTRANSLATED } from '../../test/faulty-platform.ts';
import { startHarness } from '../../test/harness.ts';

const harness = await startHarness();
await harness.worker();
const { engine } = harness;

test('a create adds a row to the connected system, stores a record and settles the write', async () => {
  const { system, scope, write } = await harness.site();
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

test('an update and a delete change the row of the record', async () => {
  const { system, scope, write } = await harness.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  const id = targetId ?? '';
  const updated = await write({ op: 'update', targetId: id, input: { terms: 'Net 45' } });
  expect(updated.result?.record.terms).toBe('Net 45');
  expect(Date.parse(updated.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(updated.steps.at(-1)?.endedAt ?? ''));
  const deleted = await write({ op: 'delete', targetId: id });
  expect(deleted).toMatchObject({ status: 'succeeded', synced: true });
  expect(system.rows.size).toBe(0);
  const doc = JSON.parse((await find(scope, entities.Vendor, id)) ?? '');
  expect(doc._deletedAt).not.toBeNull();
});

test('references are looked up by label, and unknown ones fail the write before anything is sent', async () => {
  const { system, write } = await harness.site();
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

test('a deleted record is not a target of a reference, whichever key is used', async () => {
  const { system, write } = await harness.site();
  const euro = { name: 'Euro', code: 'EUR', isoCode: 'EUR' };
  const { targetId: id, result } = await write({ entity: 'Currency', input: euro });
  await write({ entity: 'Currency', op: 'delete', targetId: id ?? '' });
  const calls = system.calls();
  for (const currency of [{ _idValue: result?._idValue }, { code: 'EUR' }, { _displayValue: 'Euro' }]) {
    const refused = await write({ input: { name: 'ACME', currency } });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'SERVICE_UNRESOLVED_REFERENCE' } });
  }
  // An id is checked before the write is queued.
  await expect(write({ input: { name: 'ACME', currency: { id } } })).rejects.toMatchObject({
    code: 'SERVICE_UNRESOLVED_REFERENCE',
    details: [{ field: 'currency', given: { id } }],
  });
  expect(system.calls()).toBe(calls);
});

test('a reference that matches several records fails the write and lists them', async () => {
  const { write } = await harness.site();
  const [one, other] = [
    await write({ entity: 'Currency', input: { name: 'Dollar', code: 'USD' } }),
    await write({ entity: 'Currency', input: { name: 'Dollar', code: 'CAD' } }),
  ];
  const refused = await write({ input: { name: 'ACME', currency: { _displayValue: 'Dollar' } } });
  const ids = refused.error?.details.flatMap((detail) =>
    (detail as { candidates: { id: string }[] }).candidates.map(({ id }) => id),
  );
  expect(refused.error).toMatchObject({
    code: 'SERVICE_AMBIGUOUS_REFERENCE',
    message: expect.stringContaining('`currency`: Several records match the `_displayValue` "Dollar".'),
  });
  expect(ids?.sort()).toEqual([one.targetId, other.targetId].sort());
});

test('references within lines are looked up, sent and returned like those of the record', async () => {
  const { system, scope, write } = await harness.site();
  const { targetId: id } = await write({ entity: 'Currency', input: { name: 'Euro', code: 'EUR', isoCode: 'EUR' } });
  const lines = [{ debit: 5 }, { debit: 7, currency: { _displayValue: 'Euro' } }];
  const entry = await write({ entity: 'JournalEntry', input: { memo: 'Rent', lines } });
  expect(entry).toMatchObject({
    ...{ status: 'succeeded', warnings: [] },
    resolvedRefs: [{ field: 'lines[1].currency', link: { id, rel: 'Currency' } }],
  });
  expect([...system.rows.values()].at(-1)?.lines).toEqual([{ amount: 5 }, { amount: 7, currency: 'EUR' }]);
  const doc = await find(scope, entities.JournalEntry, entry.targetId ?? '');
  expect(JSON.parse(doc ?? '').lines).toMatchObject([
    { debit: 5, currency: null },
    { debit: 7, currency: { id, _displayValue: 'Euro', rel: 'Currency' } },
  ]);
});

test('a reference within a line that matches no record is reported with its path, and nothing is sent', async () => {
  const { system, scope, write } = await harness.site();
  await write({ entity: 'Currency', input: { name: 'Euro', code: 'EUR', isoCode: 'EUR' } });
  const calls = system.calls();
  const given = { _displayValue: 'Dollar' };
  const lines = [{ currency: { _displayValue: 'EUR' } }, { currency: given }];
  const refusal = {
    code: 'SERVICE_UNRESOLVED_REFERENCE',
    message: expect.stringContaining('`lines[1].currency`: No currency has the `_displayValue` "Dollar".'),
    details: [{ field: 'lines[1].currency', given }],
  };
  const entry = { entity: 'JournalEntry', op: 'create', input: { lines } } as const;
  expect(await write(entry)).toMatchObject({ status: 'failed', error: refusal });
  const planned = engine.planWrite(scope, { operation: 'createJournalEntry', ...entry });
  await expect(planned).rejects.toMatchObject(refusal);
  expect(system.calls()).toBe(calls);
});

test('`rel` selects the entity of a reference, and must be one that the field may point to', async () => {
  const { system, scope, write } = await harness.site();
  await write({ entity: 'Currency', input: { name: 'Euro', code: 'EUR', isoCode: 'EUR' } });
  const currency = { _displayValue: 'Euro', rel: 'Currency' };
  expect(await write({ input: { name: 'ACME', currency } })).toMatchObject({ status: 'succeeded' });
  const create = { operation: 'createVendor', entity: 'Vendor', op: 'create' } as const;
  const input = { name: 'Wrong', currency: { ...currency, rel: 'Vendor' } };
  const refusal = {
    code: 'SERVICE_UNRESOLVED_REFERENCE',
    message: expect.stringContaining('cannot point to "Vendor"'),
  };
  await expect(engine.submitWrite(scope, { ...create, input })).rejects.toMatchObject(refusal);
  // A write that an earlier version accepted is checked in the same way when it is carried out.
  const earlier = await enqueueWrite(scope, { ...create, body: input });
  await write({ input: { name: 'Next' } });
  expect(await engine.writeById(scope, earlier.write.writeId)).toMatchObject({ status: 'failed', error: refusal });
  expect(system.log).toEqual(['create Euro', 'create ACME', 'create Next']);
});

test('a batch with a reference that can never match is refused as a whole, with the path of the error', async () => {
  const { scope } = await harness.site();
  const create = { operation: 'createVendor', entity: 'Vendor', op: 'create' } as const;
  const inputs = [{ name: 'Good' }, { name: 'Bad', currency: { rel: 'Status', _displayValue: 'Euro' } }];
  const batch = (idempotencyKey: string, some: readonly object[]) =>
    engine.submitBatch(
      scope,
      some.map((input) => ({ ...create, input: { ...input }, idempotencyKey })),
    );
  await expect(batch('once', inputs)).rejects.toMatchObject({
    code: 'SERVICE_UNRESOLVED_REFERENCE',
    details: [{ path: 'body/items/1/currency', field: 'items[1].currency' }],
  });
  expect((await engine.listWrites(scope, { limit: 10 })).data).toEqual([]);
  expect(await batch('once', inputs.slice(0, 1))).toMatchObject([{ replayed: false }]);
});

test('fields that the system does not support are omitted with a warning', async () => {
  const { write } = await harness.site();
  const record = await write({ input: { name: 'ACME', phone: '1', accountPayable: { _displayValue: 'x' } } });
  expect(record.status).toBe('succeeded');
  expect(record.warnings.map(({ code, field }) => [code, field])).toEqual([
    ['FIELD_NOT_SUPPORTED', 'accountPayable'],
    ['FIELD_NOT_SUPPORTED', 'phone'],
  ]);
});

test('a value that the mapping of a field does not have is reported by a warning, with a remedy', async () => {
  const { write } = await harness.site();
  const { warnings } = await write({ input: { name: 'ACME', terms: UNTRANSLATED } });
  expect(warnings).toMatchObject([{ code: 'FIELD_NOT_SUPPORTED', field: 'terms' }]);
  expect(warnings[0]?.message).toMatch(
    / has no value in `terms` for "not in the table"; it was not sent\. .* the mapping of Vendor .*`lookup`/,
  );
});

test('a value that the system stored differently is reported by one warning', async () => {
  const { system, write } = await harness.site();
  system.onCreate = (row) => ({ ...row, rating: Math.round(Number(row.rating)) });
  const record = await write({ input: { name: 'ACME', terms: ' Net 30 ', rating: 4.4, phone: '1' } });
  expect(record.warnings.map(({ code, field }) => [code, field])).toEqual([
    ['FIELD_NOT_SUPPORTED', 'phone'],
    ['VALUE_ADJUSTED', 'rating'],
  ]);
  expect(record.warnings[1]?.message).toMatch(/ stores 4 in `rating`; 4\.4 was sent\.$/);
  expect(record.result?.record).toMatchObject({ rating: '4' });
});

test('blank text that the system stores as no value is reported by a warning with the reason', async () => {
  const { system, write } = await harness.site();
  system.onCreate = (row) => ({ ...row, terms: null });
  const { warnings } = await write({ input: { name: 'ACME', terms: '   ' } });
  expect(warnings).toMatchObject([{ code: 'VALUE_ADJUSTED', field: 'terms' }]);
  expect(warnings[0]?.message).toMatch(
    / stores null in `terms`; " {3}" was sent\. Text of only white space is not a value\.$/,
  );
});

test('a warning does not repeat a long value that the system shortened', async () => {
  const { system, write } = await harness.site();
  system.onCreate = (row) => ({ ...row, name: String(row.name).slice(0, 100) });
  const { warnings } = await write({ input: { name: 'A'.repeat(200) } });
  expect(warnings).toMatchObject([{ code: 'VALUE_ADJUSTED', field: 'name' }]);
  expect(warnings[0]?.message).toMatch(/ a different value of `name` than was sent; the record contains it\.$/);
});

test('values of lines that the system stored differently are reported with their line', async () => {
  const { system, write } = await harness.site();
  const rounded = (line: Row) => ({ ...line, amount: Math.round(Number(line.amount)) });
  system.onCreate = (row) => ({ ...row, lines: (row.lines as Row[]).map(rounded).reverse() });
  const lines = [{ debit: 5 }, { debit: 7.4 }, { debit: 8 }];
  const { status, warnings } = await write({ entity: 'JournalEntry', input: { memo: 'Rent', lines } });
  expect(status).toBe('succeeded');
  expect(warnings).toMatchObject([{ code: 'VALUE_ADJUSTED', field: 'lines[1].debit' }]);
  expect(warnings[0]?.message).toMatch(/ stores 7 in `lines\[1\]\.debit`; 7\.4 was sent\.$/);
});

test.each([
  { fault: 'no', code: 'SERVICE_REJECTED', words: 'Name is not to our taste' },
  { fault: 'bill', code: 'SERVICE_PAYMENT_REQUIRED', words: 'Subscription expired' },
  { fault: 'forbidden', code: 'SERVICE_SYSTEM_FORBIDDEN', words: 'Ask your administrator' },
  { fault: 'taken', code: 'SERVICE_DUPLICATE', words: 'There is a row with this name' },
] as const)(
  'a refusal ($fault) fails the write immediately, with the message of the system',
  async ({ fault, code, words }) => {
    const { system, write } = await harness.site();
    system.faults.write.push(fault);
    expect(await write({ input: { name: 'ACME' } })).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code, message: words },
    });
    expect(system.rows.size).toBe(0);
  },
);

test.each(['away', 'busy', 'clash'] as const)(
  'a system that is %s is retried until it accepts the write',
  async (fault) => {
    const { system, write } = await harness.site();
    system.faults.write.push(fault, fault === 'busy' ? null : fault);
    const record = await write({ input: { name: 'ACME' } });
    expect(record).toMatchObject({ status: 'succeeded', error: null });
    expect(record.attempts).toBeGreaterThan(1);
    expect(system.log).toEqual(['create ACME']);
  },
);

test('a record that others refer to, or that is already deleted, fails the write immediately with its own code', async () => {
  const { system, write } = await harness.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  const target = { targetId: targetId ?? '' };
  system.faults.write.push('held');
  const held = await write({ op: 'delete', ...target });
  system.rows.clear();
  const gone = await write({ op: 'update', ...target, input: { terms: 'Net 45' } });
  expect([held, gone].map(({ attempts, error }) => [attempts, error?.code])).toEqual([
    [1, 'SERVICE_RECORD_IN_USE'],
    [1, 'SERVICE_RECORD_DELETED'],
  ]);
});

describe('a record that the system refused to change is read again, because it may have changed', () => {
  const ordered = async () => {
    const site = await harness.site();
    const { targetId } = await site.write({ entity: 'WorkOrder', input: { name: 'Pump' } });
    const target = { entity: 'WorkOrder', targetId: targetId ?? '' };
    const shown = async () => JSON.parse((await find(site.scope, entities.WorkOrder, target.targetId)) ?? '');
    const [row] = site.system.rows.values();
    return { ...site, target, shown, rowId: row?.id ?? 0 };
  };

  test.each([
    { op: 'action', action: 'start', fault: 'no' },
    { op: 'update', input: { notes: 'x' }, fault: 'forbidden' },
    { op: 'replace', input: { name: 'Pump' }, fault: 'taken' },
    { op: 'delete', fault: 'held' },
  ] as const)('after the $op', async ({ fault, ...request }) => {
    const { system, write, target, shown, rowId } = await ordered();
    system.put({ id: rowId, state: 'complete', notes: 'Done by hand' });
    system.faults.write.push(fault);
    const refused = await write({ ...target, ...request });
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, result: null, synced: false });
    expect(refused.steps.map(({ kind, status }) => [kind, status]).slice(-2)).toEqual([
      [request.op === 'replace' ? 'update' : request.op, 'failed'],
      ['read', 'succeeded'],
    ]);
    expect(await shown()).toMatchObject({ statusCategory: 'completed', notes: 'Done by hand', _deletedAt: null });
  });

  test('and is deleted here if it was deleted there', async () => {
    const { system, write, target, shown } = await ordered();
    system.rows.clear();
    expect(await write({ ...target, op: 'action', action: 'start' })).toMatchObject({
      ...{ status: 'failed', error: { code: 'SERVICE_RECORD_DELETED' } },
    });
    expect((await shown())._deletedAt).not.toBeNull();
  });

  test('and its outcome stays the same when it cannot be read', async () => {
    const { system, write, target, shown, rowId } = await ordered();
    system.put({ id: rowId, state: 'complete' });
    // Reading before an action without a recorded state succeeds, reading after its refusal does not.
    system.faults.write.push('no');
    system.faults.read.push(null, 'away');
    const refused = await write({ ...target, op: 'action', action: 'assign' });
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'SERVICE_REJECTED' } });
    expect(refused.steps.at(-1)).toMatchObject({
      kind: 'read',
      status: 'failed',
      error: { message: expect.any(String) },
    });
    expect((await shown()).statusCategory).not.toBe('completed');
    expect(await write({ ...target, op: 'update', input: { notes: 'next' } })).toMatchObject({ status: 'succeeded' });
  });

  test('but not if the system could not be reached', async () => {
    const { system, write, target } = await ordered();
    system.faults.write.push(...Array.from({ length: 4 }, () => 'away' as const));
    const failed = await write({ ...target, op: 'action', action: 'start' });
    expect(failed.steps.map(({ kind }) => kind)).not.toContain('read');
  });
});

test.each([
  { fault: 'away', code: 'SERVICE_SYSTEM_UNAVAILABLE' },
  { fault: 'locked', code: 'SERVICE_SYSTEM_UNAUTHORIZED' },
  { fault: 'clash', code: 'SERVICE_CONFLICT' },
  { fault: 'busy', code: 'SERVICE_SYSTEM_RATE_LIMITED' },
] as const)('a system that stays $fault fails the write after the last attempt', async ({ fault, code }) => {
  const { system, write } = await harness.site();
  system.faults.write.push(...Array.from({ length: 10 }, () => fault));
  expect(await write({ input: { name: 'ACME' } })).toMatchObject({ status: 'failed', attempts: 4, error: { code } });
});

test.each(['lost', 'garbage'] as const)(
  'a create that was carried out although the response was %s is found, not repeated',
  async (fault) => {
    const { system, write } = await harness.site();
    system.faults.write.push(fault);
    const record = await write({ input: { name: 'ACME' } });
    expect(record).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(record.steps.map(({ kind }) => kind)).toEqual(['resolve', 'create', 'verify', 'read', 'store']);
    expect(system.log).toEqual(['create ACME']);
  },
);

test('an update of lines whose response was lost has an unknown outcome if the system has not all of them', async () => {
  const { system, write } = await harness.site();
  const lines = [{ debit: 5 }, { debit: 7 }, { debit: 8 }];
  const { targetId } = await write({ entity: 'JournalEntry', input: { memo: 'Rent', lines: lines.slice(0, 1) } });
  const update = { entity: 'JournalEntry', op: 'update', targetId: targetId ?? '' } as const;
  system.faults.write.push('lost');
  expect(await write({ ...update, input: { lines } })).toMatchObject({ status: 'succeeded' });
  system.onChange = (values) => ({ ...values, lines: (values.lines as Row[]).slice(0, 1) });
  system.faults.write.push('lost');
  const record = await write({ ...update, input: { lines: lines.slice(1) } });
  expect(record).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'SERVICE_OUTCOME_UNKNOWN' } });
  expect(record.steps.filter(({ endedAt }) => endedAt === null)).toEqual([]);
});

test('a lost create is sent again, but not before it can no longer take effect', async () => {
  const { system, write } = await harness.site();
  system.faults.write.push('dropped');
  const record = await write({ input: { name: 'ACME' } });
  expect(record).toMatchObject({ status: 'succeeded', attempts: 2 });
  const [first, second] = record.steps.filter(({ kind }) => kind === 'create');
  const apart = Date.parse(second?.startedAt ?? '') - Date.parse(first?.startedAt ?? '');
  expect(apart).toBeGreaterThanOrEqual(150);
  expect(system.log).toEqual(['create ACME']);
});

test('a create whose response does not state its outcome fails with what the system responded, and is not sent again', async () => {
  const { scope, system, write, settled } = await harness.site();
  system.faults.write.push('vague');
  const request = { input: { name: 'ACME' }, idempotencyKey: 'once' };
  const record = await write(request);
  expect(record).toMatchObject({
    ...{ status: 'failed', attempts: 1, error: { code: 'SERVICE_OUTCOME_UNKNOWN', message: 'Received' } },
    leftovers: [{ entity: 'Vendor', handling: 'manual' }],
  });
  expect(record.steps.map(({ kind, status }) => [kind, status])).toEqual([
    ['resolve', 'succeeded'],
    ['create', 'unknown'],
  ]);
  expect(record.steps.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(await write({ input: { name: 'Next' } })).toMatchObject({ status: 'succeeded' });
  // Clients repeat a request after 502 without a person.
  expect(await write(request)).toEqual(record);
  expect(system.log).toEqual(['create Next']);
  await engine.retryWrite(scope, record.writeId);
  expect(await settled(record.writeId)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create Next', 'create ACME']);
});

test('a create whose response has no key is searched for until its list can be read, and not sent again', async () => {
  const { scope, system, write, settled } = await harness.site();
  system.faults.write.push('hidden');
  system.faults.read.push(null, 'away');
  expect(await write({ input: { name: 'Found' } })).toMatchObject({ status: 'succeeded', attempts: 1 });
  system.faults.write.push('veiled');
  const request = { input: { name: 'ACME' }, idempotencyKey: 'never' };
  const record = await write(request);
  expect(record).toMatchObject({
    ...{ status: 'failed', attempts: 1, error: { code: 'SERVICE_OUTCOME_UNKNOWN' } },
    leftovers: [{ entity: 'Vendor', handling: 'manual' }],
  });
  expect(record.error?.message).toMatch(/does not list it. Check in the connected system/);
  expect(record.steps.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(await write(request)).toEqual(record);
  expect(system.log).toEqual(['create Found']);
  await engine.retryWrite(scope, record.writeId);
  expect(await settled(record.writeId)).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create Found', 'create ACME']);
});

test('a create whose response is lost fails if another user created an equal record, and does not block later writes', async () => {
  const { system, write } = await harness.site();
  system.onCreate = (row) => {
    system.put({ ...row });
    return row;
  };
  system.faults.write.push('lost');
  const request = { input: { name: 'ACME' }, idempotencyKey: 'equal' };
  const record = await write(request);
  const message = expect.stringMatching(
    /^The system has two new rows with these values\. Check in the connected system/,
  );
  expect(record).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'SERVICE_OUTCOME_UNKNOWN', message } });
  expect(await write(request)).toEqual(record);
  system.onCreate = (row) => row;
  expect(await write({ input: { name: 'Next' } })).toMatchObject({ status: 'succeeded' });
  expect(system.log).toEqual(['create ACME', 'create Next']);
});

test.each(['lost', 'dropped'] as const)('an update whose response was %s is settled by comparing', async (fault) => {
  const { system, write } = await harness.site();
  const { targetId } = await write({ input: { name: 'ACME' } });
  system.faults.write.push(fault);
  const record = await write({ op: 'update', targetId: targetId ?? '', input: { terms: 'Net 45' } });
  expect(record).toMatchObject({ status: 'succeeded', attempts: fault === 'lost' ? 1 : 2 });
  expect(system.log).toEqual(['create ACME', 'update 1 ']);
});

test.each(['lost', 'dropped'] as const)('a delete whose response was %s is settled by reading', async (fault) => {
  const { system, write } = await harness.site();
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
] as const)('the action $action whose response was $fault is carried out exactly once', async ({ action, fault }) => {
  const { system, write } = await harness.site();
  const { targetId } = await write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  system.faults.write.push(fault);
  const record = await write({ op: 'action', entity: 'WorkOrder', action, targetId: targetId ?? '' });
  expect(record).toMatchObject({ status: 'succeeded', attempts: fault === 'lost' ? 1 : 2 });
  expect(system.log).toEqual(['create Pump', `act 1 ${action}`]);
});

test('an action that the system accepts and ignores is reported by a warning', async () => {
  const { system, write } = await harness.site();
  const { targetId } = await write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  const target = { op: 'action', entity: 'WorkOrder', targetId: targetId ?? '' } as const;
  expect((await write({ ...target, action: 'start' })).warnings).toEqual([]);
  system.onAction = () => 'start';
  const { status, warnings } = await write({ ...target, action: 'complete' });
  expect(status).toBe('succeeded');
  expect(warnings).toMatchObject([{ code: 'VALUE_ADJUSTED', field: 'statusCategory' }]);
  expect(warnings[0]?.message).toMatch(
    / accepted the action `complete`, but `statusCategory` is still "in_progress" instead of "completed"\. .* read the record before/,
  );
});

test('an action that leads to a later state has no warning', async () => {
  const { system, write } = await harness.site();
  const { targetId } = await write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  system.onAction = () => 'complete';
  const started = await write({ op: 'action', entity: 'WorkOrder', targetId: targetId ?? '', action: 'start' });
  expect(started).toMatchObject({ status: 'succeeded', warnings: [] });
});

test.each([
  { input: { notes: 'Night shift' }, expected: { status: 'failed', error: { code: 'SERVICE_OUTCOME_UNKNOWN' } } },
  { input: { notes: 'Day shift' }, expected: { status: 'succeeded', attempts: 1 } },
])(
  'a change of the record by another user proves an action only with the values that were sent: $input',
  async ({ input, expected }) => {
    const { scope, system, write } = await harness.site();
    const { targetId } = await write({ entity: 'WorkOrder', input: { name: 'Pump' } });
    system.admit(0);
    system.faults.write.push('dropped');
    const assigned = write({ op: 'action', entity: 'WorkOrder', action: 'assign', targetId: targetId ?? '', input });
    const steps = async () => (await engine.listWrites(scope, { limit: 1 })).data[0]?.steps.map(({ kind }) => kind);
    await expect.poll(steps).toContain('action');
    system.put({ id: 1, notes: 'Day shift' });
    system.admit(1);
    expect(await assigned).toMatchObject(expected);
    expect(system.log).toEqual(['create Pump']);
  },
);

test('writes of a connection keep their order across failures', async () => {
  const { system, createVendor, settled } = await harness.site();
  system.faults.write.push('away', 'lost', null, 'dropped', 'no', 'garbage', 'busy');
  const names = Array.from({ length: 8 }, (_, n) => `V${n}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await createVendor(name));
  const records = await Promise.all(ids.map(settled));
  const failed = records.flatMap(({ status }, n) => (status === 'failed' ? [names[n]] : []));
  expect(failed).toHaveLength(1);
  expect(system.log).toEqual(names.filter((name) => !failed.includes(name)).map((name) => `create ${name}`));
});

test('a failing connection does not delay others', async () => {
  const [troubled, healthy] = [await harness.site(), await harness.site()];
  troubled.system.faults.write.push('dropped');
  // The preparation succeeds; then the outcome cannot be verified, however long the other write takes.
  troubled.system.faults.read.push(null, ...Array.from({ length: 100_000 }, () => 'away' as const));
  const stuck = await troubled.createVendor('Stuck');
  await expect.poll(async () => (await engine.writeById(troubled.scope, stuck)).status).toBe('unknown');
  const record = await healthy.write({ input: { name: 'Fine' } });
  expect(record.status).toBe('succeeded');
  expect((await engine.writeById(troubled.scope, stuck)).finishedAt).toBeNull();
});
