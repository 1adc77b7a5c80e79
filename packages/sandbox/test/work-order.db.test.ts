import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, act, named } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a work order', () => {
  const fresh = () => create('WorkOrder', { name: 'Replace bearing of conveyor 2', priorityLevel: 2 });

  test('goes from report to settlement', async () => {
    const key = await fresh();
    expect((await sandbox.record('WorkOrder', key)).values.statusCategory).toBe('draft');
    expect((await act('WorkOrder', key, 'accept', { note: 'Parts are in stock' })).values).toMatchObject({
      statusCategory: 'open',
      approvedAt: expect.any(String),
    });
    const assigned = await act('WorkOrder', key, 'assign', { assignedTo: await named('Employee', 'Maria Keller') });
    expect(assigned.references.assignedTo).toMatchObject({ value: '4711' });
    const startedAt = `${day(0)}T06:10:00Z`;
    expect((await act('WorkOrder', key, 'start', { startedAt })).values).toMatchObject({
      statusCategory: 'in_progress',
      startedAt: `${day(0)}T06:10:00.000Z`,
    });
    const held = await act('WorkOrder', key, 'hold', {
      reason: await named('Taxonomy', 'Part missing'),
      note: 'Bearing arrives on Monday',
    });
    expect(held).toMatchObject({
      values: { statusCategory: 'on_hold' },
      references: { holdReason: { value: 'H-PART' } },
    });
    expect((await act('WorkOrder', key, 'resume')).values.statusCategory).toBe('in_progress');
    const done = await act('WorkOrder', key, 'complete', {
      completedAt: `${day(0)}T07:55:00Z`,
      completionNotes: 'Bearing 6204 replaced',
      actualDurationMinutes: 105,
      failureCode: await named('Taxonomy', 'Bearing worn'),
    });
    expect(done).toMatchObject({
      values: {
        statusCategory: 'completed',
        completedAt: `${day(0)}T07:55:00.000Z`,
        completionNotes: 'Bearing 6204 replaced',
        actualDurationMinutes: 105,
      },
      references: { failureCode: { value: 'F-BRG' } },
    });
    expect((await act('WorkOrder', key, 'close')).values).toMatchObject({
      statusCategory: 'closed',
      closedAt: expect.any(String),
    });
    const late = sandbox.driver.writes.update(
      sandbox.stream('WorkOrder'),
      key,
      { kurztext: 'Too late' },
      sandbox.intent(),
    );
    await expect(late).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^AU-030: work order WO-\d+ is settled/),
    });
  });

  test('is sent back, unassigned, and cancelled with a reason', async () => {
    const key = await fresh();
    await act('WorkOrder', key, 'accept');
    await act('WorkOrder', key, 'assign', { assignedTo: await named('Employee', 'Maria Keller') });
    expect((await act('WorkOrder', key, 'assign', { assignedTo: null })).references.assignedTo).toBeNull();
    expect((await act('WorkOrder', key, 'reject', { note: 'Which conveyor?' })).values.statusCategory).toBe('draft');
    const reason = await named('Taxonomy', 'Duplicate');
    const cancelled = await act('WorkOrder', key, 'cancel', { reason, note: 'Same as WO-20391' });
    expect(cancelled).toMatchObject({
      values: { statusCategory: 'cancelled', cancelledAt: expect.any(String) },
      references: { cancelReason: { value: 'S-DUP' } },
    });
  });

  test.each([
    ['start', {}, /^AU-043: work order WO-\d+ has status 00; only released orders can be started$/],
    ['complete', {}, /^AU-046/],
    ['resume', {}, /^AU-045/],
    ['close', {}, /^AU-047/],
  ])('%s is refused while it is only reported', async (action, input, words) => {
    await expect(act('WorkOrder', await fresh(), action, input)).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(words),
    });
  });

  test('accepts only reasons from the matching list', async () => {
    const wrong = act('WorkOrder', await fresh(), 'cancel', { reason: await named('Taxonomy', 'Fasteners') });
    await expect(wrong).rejects.toMatchObject({
      kind: 'rejected',
      words: 'AU-014: G-FAST is not a reason for cancellation',
    });
  });

  test('gets a status by name or by category', async () => {
    const key = await fresh();
    const scheduled = await act('WorkOrder', key, 'set-status', {
      status: await named('Status', 'Scheduled'),
      statusCategory: 'closed',
    });
    expect(scheduled).toMatchObject({
      values: { statusCategory: 'open' },
      references: { status: { value: 'AUF/15' } },
    });
    expect((await act('WorkOrder', key, 'set-status', { statusCategory: 'on_hold' })).references.status).toMatchObject({
      value: 'AUF/30',
    });
    await expect(
      act('WorkOrder', key, 'set-status', { status: await named('Status', 'Entered') }),
    ).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('can be deleted before work begins, but not afterwards', async () => {
    const [key, begun] = [await fresh(), await fresh()];
    await sandbox.driver.writes.remove(sandbox.stream('WorkOrder'), key, sandbox.intent());
    expect(await sandbox.driver.read(sandbox.stream('WorkOrder'), key)).toBeNull();
    await act('WorkOrder', begun, 'accept');
    await act('WorkOrder', begun, 'start');
    const refused = sandbox.driver.writes.remove(sandbox.stream('WorkOrder'), begun, sandbox.intent());
    await expect(refused).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^AU-021: .* cancel it instead$/),
    });
  });
});
