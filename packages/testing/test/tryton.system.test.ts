import type { Client } from '@unified/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rpc } from '../../../test-systems/tryton/rpc.ts';
import { freshVendor } from '../../connectors/test/fresh-vendor.ts';
import { addPayableAccount } from './payable-account.ts';
import { START_MS } from './stack.ts';
import { startTrade, type Trade } from './trade.ts';
import { partyInTryton } from './tryton-party.ts';

let trade: Trade;
let client: Client;
let rpc: Rpc;
let payable: number;
let receivable: number;

beforeAll(async () => {
  trade = await startTrade({
    prepare: async (tryton) => {
      payable = await addPayableAccount(tryton.rpc);
      receivable = await tryton.rpc.id('account.account', [['type.receivable', '=', true]]);
    },
  });
  client = trade.client;
  rpc = trade.tryton.rpc;
}, START_MS);

afterAll(() => trade?.stop());

describe('a vendor', () => {
  test('that is created is in Tryton with every field', async () => {
    const created = await client.vendors.create({ ...freshVendor, accountPayable: { _idValue: String(payable) } });
    expect(created).toMatchObject({ ...freshVendor, accountPayable: { _idValue: String(payable), rel: 'Account' } });
    expect(await partyInTryton(rpc, Number(created._idValue))).toMatchObject({
      name: 'Fresh Vendor',
      code: 'V-9001',
      active: true,
      'supplier_payment_term.': { name: 'Net 60' },
      supplier_lead_time: { __class__: 'timedelta', seconds: 14 * 86_400 },
      account_payable: payable,
      'categories.': [{ name: 'Supplier' }],
      contacts: { email: 'sales@fresh.example', phone: '+49 30 987654', website: 'https://fresh.example' },
      contactCount: 3,
      taxNumbers: ['DE 123'],
    });
    expect(await client.vendors.get(created.id)).toEqual(created);
  });

  test('that is changed has the new values in Tryton, without duplicates', async () => {
    const changed = {
      name: 'Seasoned Vendor',
      code: 'V-9002',
      isActive: false,
      terms: 'Net 30',
      taxNumber: 'DE 456',
      email: 'office@seasoned.example',
      phone: '+49 30 111',
      website: 'https://seasoned.example',
      leadTimeDays: 3,
    };
    const { id, _idValue } = await client.vendors.create({ ...freshVendor, code: 'V-9003' });
    const answer = await client.vendors.update(id, { ...changed, accountPayable: { _idValue: String(payable) } });
    expect(answer).toMatchObject(changed);
    expect(await partyInTryton(rpc, Number(_idValue))).toMatchObject({
      name: 'Seasoned Vendor',
      code: 'V-9002',
      active: false,
      'supplier_payment_term.': { name: 'Net 30' },
      supplier_lead_time: { __class__: 'timedelta', seconds: 3 * 86_400 },
      account_payable: payable,
      contacts: { email: 'office@seasoned.example', phone: '+49 30 111', website: 'https://seasoned.example' },
      contactCount: 3,
      taxNumbers: ['DE 456'],
    });
  });

  test('loses cleared values in Tryton, and keeps the others', async () => {
    const { id, _idValue } = await client.vendors.create({ ...freshVendor, code: 'V-9004' });
    const answer = await client.vendors.update(id, { email: null, taxNumber: null, leadTimeDays: null });
    expect(answer).toMatchObject({ email: null, taxNumber: null, leadTimeDays: null, phone: freshVendor.phone });
    expect(await partyInTryton(rpc, Number(_idValue))).toMatchObject({
      name: 'Fresh Vendor',
      supplier_lead_time: null,
      contacts: { phone: freshVendor.phone, website: freshVendor.website },
      contactCount: 2,
      taxNumbers: [],
    });
  });

  test('that Tryton refuses returns 422 with the message of Tryton, and is not listed', async () => {
    const creating = client.vendors.create({ name: 'Twin', code: 'V001' });
    await expect(creating).rejects.toMatchObject({
      code: 'SERVICE_REJECTED',
      status: 422,
      message: expect.stringMatching(/code.*unique/i),
    });
    expect((await client.vendors.list({ filter: { name: 'Twin' } })).data).toEqual([]);
  });

  test('is created once by many simultaneous requests with one key', async () => {
    const creating = Array.from({ length: 20 }, () =>
      client.vendors.create({ name: 'Crowd Pleaser' }, { idempotencyKey: 'crowd' }),
    );
    const ids = (await Promise.all(creating)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(await rpc.search('party.party', [['name', '=', 'Crowd Pleaser']])).toHaveLength(1);
  });
});

test('a partner with two roles is both a vendor and a customer, under ids of their own', async () => {
  const created = await client.partners.create({ name: 'Trader', roles: ['vendor', 'customer'] });
  const { id, vendor, customer } = created;
  expect(await client.partners.get(id)).toEqual(created);
  expect(await client.vendors.get(vendor?.id ?? '')).toMatchObject({ name: 'Trader', partner: { id, rel: 'Partner' } });
  expect(await client.customers.get(customer?.id ?? '')).toMatchObject({ name: 'Trader', partner: { id } });
  expect(new Set([id, vendor?.id, customer?.id]).size).toBe(3);
});

describe('a customer', () => {
  const everything = {
    name: 'Fresh Customer',
    code: 'C-9001',
    isActive: true,
    taxNumber: 'FR 123',
    email: 'buy@fresh.example',
    phone: '+33 1 987654',
    website: 'https://buyer.example',
  };

  test('that is created and changed is in Tryton with every field', async () => {
    const accountReceivable = { _idValue: String(receivable) };
    const created = await client.customers.create({ ...everything, accountReceivable });
    expect(created).toMatchObject({ ...everything, accountReceivable });
    const id = Number(created._idValue);
    expect(await partyInTryton(rpc, id)).toMatchObject({
      name: 'Fresh Customer',
      code: 'C-9001',
      active: true,
      account_receivable: receivable,
      'categories.': [{ name: 'Customer' }],
      contacts: { email: 'buy@fresh.example', phone: '+33 1 987654', website: 'https://buyer.example' },
      contactCount: 3,
      taxNumbers: ['FR 123'],
    });
    const changed = { name: 'Loyal Customer', isActive: false, taxNumber: 'FR 9', email: 'hi@loyal.example' };
    expect(await client.customers.update(created.id, changed)).toMatchObject(changed);
    expect(await partyInTryton(rpc, id)).toMatchObject({
      name: 'Loyal Customer',
      active: false,
      contacts: { email: 'hi@loyal.example', phone: '+33 1 987654' },
      contactCount: 3,
      taxNumbers: ['FR 9'],
    });
  });
});
