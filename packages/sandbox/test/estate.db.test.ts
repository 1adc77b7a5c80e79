import type { Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, named } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('real estate', () => {
  test('accepts kinds of properties and spaces only from their list', async () => {
    const wrong = await named('Taxonomy', 'Fasteners');
    await expect(create('Property', { name: 'Hut', propertyType: wrong })).rejects.toMatchObject({
      words: 'LG-002: G-FAST is not a kind of property',
    });
    const location = await named('Location', 'Hall A HAM');
    await expect(create('Space', { name: 'Nook', location, spaceType: wrong })).rejects.toMatchObject({
      words: 'FL-002: G-FAST is not a kind of space',
    });
  });

  test('refuses to close a space that is leased', async () => {
    const leases = await sandbox.records('Lease');
    const running = leases.find(({ values }) => values.statusCategory === 'active') ?? expect.fail('no lease runs');
    const space = running.references.space as Reference;
    const location = await named('Location', 'Hall A HAM');
    await expect(replace('Space', space.value, { name: 'Closed', location, isActive: false })).rejects.toMatchObject({
      words: expect.stringMatching(/^FL-009: space SP-\d+ is leased and cannot be closed$/),
    });
  });

  test('the rent of a lease is due by billing period, without gaps', async () => {
    const leases = await sandbox.records('Lease');
    const running = leases.filter(({ values }) => values.statusCategory === 'active');
    for (const { values } of running) {
      const schedule = values.rentSchedule as { startDate: string; endDate: string; amount: number }[];
      expect(schedule.length).toBeGreaterThan(0);
      // The first and the last period can be partial.
      const whole = schedule.slice(1, -1).map(({ amount }) => amount);
      expect(whole).toEqual(whole.map(() => values.rentAmount));
      expect(Math.max(...schedule.map(({ amount }) => amount))).toBeLessThanOrEqual(Number(values.rentAmount));
      const next = schedule.slice(0, -1).map(({ endDate }) => Date.parse(endDate) + 86_400_000);
      expect(schedule.slice(1).map(({ startDate }) => Date.parse(startDate))).toEqual(next);
      expect(values.charges).toContainEqual(expect.objectContaining({ kind: 'operating_costs', frequency: 'monthly' }));
    }
  });

  test('a lease is refused with rent outside its term', async () => {
    const [lease] = (await sandbox.records('Lease')).filter(({ values }) => values.endDate !== null);
    const rentSchedule = [{ startDate: '2001-01-01', endDate: '2001-01-31', amount: 1, status: 'planned' }];
    const { values } = sandbox.mapping('Lease').write({ rentSchedule }, { op: 'update' });
    const changed = sandbox.driver.writes.update(
      sandbox.stream('Lease'),
      lease?._idValue ?? '',
      values,
      sandbox.intent(),
    );
    await expect(changed).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^MV-011: a rent from 2001-01-01 to 2001-01-31 is outside the term of lease LS-\d+/),
    });
  });

  test('an accepted application and its lease refer to each other', async () => {
    const leases = new Map((await sandbox.records('Lease')).map((lease) => [lease._idValue, lease]));
    const accepted = (await sandbox.records('LeaseApplication')).filter(
      ({ values }) => values.statusCategory === 'approved',
    );
    expect(accepted.length).toBeGreaterThan(100);
    for (const { _idValue, references } of accepted) {
      const lease = leases.get((references.lease as Reference).value);
      expect(lease?.references).toMatchObject({
        application: { value: _idValue },
        space: references.space,
        tenant: references.applicant,
      });
    }
  });
});
