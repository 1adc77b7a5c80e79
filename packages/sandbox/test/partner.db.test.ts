import type { Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSandbox } from '../src/index.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, named } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const keyOf = (reference: unknown) => (reference as Reference).value;
const firm = { name: 'Hansa Bolts', legalName: 'Hansa Bolts GmbH', taxNumber: 'DE999999999' };
const refused = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('a partner', () => {
  test('with two roles has a vendor and a customer record with its data', async () => {
    const key = await create('Partner', { ...firm, roles: ['vendor', 'customer'], email: 'office@hansabolts.example' });
    const { values, references } = await sandbox.record('Partner', key);
    expect(values.roles).toEqual(['vendor', 'customer']);
    for (const [entity, record] of [
      ['Vendor', references.vendor],
      ['Customer', references.customer],
    ] as const) {
      expect(await sandbox.record(entity, keyOf(record))).toMatchObject({
        values: { ...firm, email: 'office@hansabolts.example' },
        references: { partner: { entity: 'Partner', value: key } },
      });
    }
  });

  test('is created with a new vendor, and can get another role', async () => {
    const vendor = await create('Vendor', { name: 'Lone Vendor' });
    const key = keyOf((await sandbox.record('Vendor', vendor)).references.partner);
    expect(await sandbox.record('Partner', key)).toMatchObject({
      values: { name: 'Lone Vendor', roles: ['vendor'] },
      references: { vendor: { value: vendor }, customer: null },
    });
    const both = await replace('Partner', key, { name: 'Trader', roles: ['vendor', 'customer'] });
    expect(both.references.vendor).toMatchObject({ value: vendor });
    expect((await sandbox.record('Customer', keyOf(both.references.customer))).values.name).toBe('Trader');
    expect((await sandbox.record('Vendor', vendor)).values.name).toBe('Trader');
  });

  test('keeps a role as long as it has the record', async () => {
    const key = await create('Partner', { name: 'Loyal', roles: ['vendor', 'customer'] });
    await expect(replace('Partner', key, { name: 'Loyal', roles: ['customer'] })).rejects.toMatchObject(
      refused(/^GP-010/),
    );
    await expect(replace('Partner', key, { name: 'Loyal', roles: ['vendor'] })).rejects.toMatchObject(
      refused(/^GP-011/),
    );
  });

  test('loses a role when its record is deleted, and gets the same record back', async () => {
    const key = await create('Partner', { name: 'Gone and back', roles: ['vendor'] });
    const vendor = keyOf((await sandbox.record('Partner', key)).references.vendor);
    await changeSandbox({ url: sandbox.url, schema: 'erp' }, 'flagVendorDeleted', Number(vendor));
    expect(await sandbox.record('Partner', key)).toMatchObject({ values: { roles: [] }, references: { vendor: null } });
    const { references } = await replace('Partner', key, { name: 'Back', roles: ['vendor'] });
    expect(keyOf(references.vendor)).toBe(vendor);
    expect(await sandbox.record('Vendor', vendor)).toMatchObject({ values: { name: 'Back' }, deletedAt: null });
  });

  test('changes its name with either record, and lists the addresses and contacts of both', async () => {
    const key = await create('Partner', { name: 'Before', roles: ['vendor', 'customer'] });
    const { references } = await sandbox.record('Partner', key);
    const [vendor, customer] = [keyOf(references.vendor), keyOf(references.customer)];
    const { values } = sandbox.mapping('Customer').write({ name: 'After' }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('Customer'), customer, values, sandbox.intent());
    const owner = { ...(await named('Vendor', 'ACME Supplies')), _idValue: vendor };
    const company = { ...(await named('Customer', 'Baker & Sons')), _idValue: customer };
    const country = await named('Country', 'Germany');
    const address = await create('Address', { type: 'office', line1: 'Kai 1', country, owner });
    const contact = await create('Contact', { name: 'Ada Berg', company });
    expect(await sandbox.record('Partner', key)).toMatchObject({
      values: { name: 'After' },
      references: { addresses: [{ value: address }], contacts: [{ value: contact }] },
    });
    expect((await sandbox.record('Vendor', vendor)).values.name).toBe('After');
  });

  test('cannot belong to itself', async () => {
    const key = await create('Partner', { name: 'Alone', roles: [] });
    const parent = { ...(await named('Vendor', 'ACME Supplies')), entity: 'Partner', _idValue: key };
    const looped = replace('Partner', key, { name: 'Alone', roles: [], parent });
    await expect(looped).rejects.toMatchObject(refused(/^GP-004: a partner cannot belong to itself$/));
  });
});
