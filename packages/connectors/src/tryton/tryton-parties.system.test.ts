import { describe, expect, test } from 'vitest';
import { freshVendor } from '../../test/fresh-vendor.ts';
import { idOf, reference, rejected, trytonOfFile } from '../../test/running-tryton.ts';

const { tryton, connection } = await trytonOfFile();
const vendor = String(await idOf(tryton, 'party.party', 'code', 'V001'));

describe('a vendor', () => {
  test('that is created with every field is read back unchanged, and has these values in Tryton', async () => {
    const main = await idOf(tryton, 'account.account', 'name', 'Main Payable');
    const payable = reference('Account', main);
    const key = await connection.create('Vendor', { ...freshVendor, accountPayable: payable });
    const account = { entity: 'Account', by: '_idValue', value: String(main) };
    expect(await connection.read('Vendor', key)).toMatchObject({ ...freshVendor, accountPayable: account });
    const fields = [
      'name',
      'code',
      'supplier_payment_term.name',
      'email',
      'phone',
      'website',
      'categories.name',
      'identifiers.code',
    ];
    expect(await tryton.rpc.one('party.party', [['id', '=', Number(key)]], fields)).toMatchObject({
      name: 'Fresh Vendor',
      code: 'V-9001',
      email: 'sales@fresh.example',
      phone: '+49 30 987654',
      website: 'https://fresh.example',
      'supplier_payment_term.': { name: 'Net 60' },
      'categories.': [{ name: 'Supplier' }],
      'identifiers.': [{ code: 'DE 123' }],
    });
  });

  test('that is created with only a name gets its code from Tryton and is recognized as a vendor', async () => {
    const key = await connection.create('Vendor', { name: 'Bare Vendor' });
    const read = await connection.read('Vendor', key);
    expect(read).toMatchObject({ name: 'Bare Vendor', terms: '', email: null, isActive: true });
    expect(read?.code).toMatch(/^\d+$/);
    expect(await connection.read('Customer', key)).toBeNull();
  });

  test('can be changed field by field, without changing the others', async () => {
    const key = await connection.create('Vendor', { ...freshVendor, code: 'V-9002' });
    const changes = { name: 'Renamed', terms: 'Net 30', email: 'new@fresh.example', leadTimeDays: 3, isActive: false };
    await connection.update('Vendor', key, changes);
    expect(await connection.read('Vendor', key)).toMatchObject({ ...freshVendor, code: 'V-9002', ...changes });
    const mechanisms = await tryton.rpc.search('party.contact_mechanism', [['party', '=', Number(key)]]);
    expect(mechanisms).toHaveLength(3);
  });

  test('clears fields that are set to null, and sets fields that were empty', async () => {
    const key = await connection.create('Vendor', { ...freshVendor, code: 'V-9003', website: null });
    await connection.update('Vendor', key, {
      email: null,
      taxNumber: null,
      leadTimeDays: null,
      terms: '',
      website: 'w.example',
    });
    const cleared = { email: null, taxNumber: null, leadTimeDays: null, terms: '', website: 'w.example' };
    expect(await connection.read('Vendor', key)).toMatchObject({ ...freshVendor, code: 'V-9003', ...cleared });
  });

  test('that is replaced keeps its code and stays active', async () => {
    const key = await connection.create('Vendor', { ...freshVendor, code: 'V-9004' });
    await connection.update('Vendor', key, { name: 'Replaced' }, 'replace');
    const left = { name: 'Replaced', code: 'V-9004', isActive: true, email: null, phone: null, leadTimeDays: null };
    expect(await connection.read('Vendor', key)).toMatchObject(left);
  });

  test('with terms that Tryton does not have is rejected with a message', async () => {
    const creating = connection.create('Vendor', { name: 'Odd terms', terms: 'Net 45' });
    await expect(creating).rejects.toMatchObject(rejected('Supplier Payment Term: Tryton has no record "Net 45"'));
    expect(await tryton.rpc.search('party.party', [['name', '=', 'Odd terms']])).toEqual([]);
  });

  test('with a code that is taken is rejected with the message from Tryton', async () => {
    const creating = connection.create('Vendor', { name: 'Double', code: 'V001' });
    await expect(creating).rejects.toMatchObject(rejected('^The code on party must be unique.$'));
  });

  test('becomes a customer as well when it gets customer terms', async () => {
    const key = await connection.create('Vendor', { name: 'Both Sides' });
    await tryton.rpc.write('party.party', Number(key), { customer_payment_term: 1 });
    expect(await connection.read('Customer', key)).toMatchObject({ name: 'Both Sides' });
    expect(await connection.read('Vendor', key)).toMatchObject({ name: 'Both Sides' });
  });
});

describe('a partner', () => {
  test('with two roles is one party that is vendor and customer', async () => {
    const key = await connection.create('Partner', { name: 'Trader', roles: ['vendor', 'customer'], taxNumber: 'T-2' });
    const role = (entity: string) => ({ entity, by: '_idValue', value: key });
    const roles = { roles: ['vendor', 'customer'], vendor: role('Vendor'), customer: role('Customer') };
    expect(await connection.read('Partner', key)).toMatchObject({ name: 'Trader', taxNumber: 'T-2', ...roles });
    expect(await connection.read('Vendor', key)).toMatchObject({ name: 'Trader', partner: role('Partner') });
    expect(await connection.read('Customer', key)).toMatchObject({ name: 'Trader', partner: role('Partner') });
  });

  test('gets a role from a replacement, and keeps a role that the replacement does not contain', async () => {
    const key = await connection.create('Partner', { name: 'Grower', roles: ['vendor'] });
    expect(await connection.read('Partner', key)).toMatchObject({ roles: ['vendor'], customer: null });
    await connection.update('Partner', key, { name: 'Grown', roles: ['customer'] }, 'replace');
    expect(await connection.read('Partner', key)).toMatchObject({ name: 'Grown', roles: ['vendor', 'customer'] });
  });
});

test('a customer is created, recognized, changed and replaced', async () => {
  const input = { name: 'Fresh Customer', code: 'C-9001', email: 'buy@c.example', taxNumber: 'T-1' };
  const main = await idOf(tryton, 'account.account', 'name', 'Main Receivable');
  const key = await connection.create('Customer', { ...input, accountReceivable: reference('Account', main) });
  const account = { entity: 'Account', by: '_idValue', value: String(main) };
  expect(await connection.read('Customer', key)).toMatchObject({ ...input, accountReceivable: account });
  expect(await connection.read('Vendor', key)).toBeNull();
  await connection.update('Customer', key, { email: 'other@c.example' });
  expect(await connection.read('Customer', key)).toMatchObject({ ...input, email: 'other@c.example' });
  await connection.update('Customer', key, { name: 'Replaced Customer' }, 'replace');
  const left = { name: 'Replaced Customer', code: 'C-9001', email: null };
  expect(await connection.read('Customer', key)).toMatchObject(left);
});

test('the category of a role is created if it does not exist', async () => {
  const [category] = await tryton.rpc.search('party.category', [['name', '=', 'Customer']]);
  await tryton.rpc.write('party.category', Number(category?.id), { name: 'Key accounts' });
  const first = await connection.create('Customer', { name: 'First of a kind' });
  const second = await connection.create('Customer', { name: 'Second of a kind' });
  expect(await connection.read('Customer', first)).toMatchObject({ name: 'First of a kind' });
  expect(await connection.read('Customer', second)).toMatchObject({ name: 'Second of a kind' });
  expect(await tryton.rpc.search('party.category', [['name', '=', 'Customer']])).toHaveLength(1);
});

test('an address is written line by line', async () => {
  const germany = await idOf(tryton, 'country.country', 'code', 'DE');
  const country = reference('Country', germany);
  const input = {
    type: 'shipping',
    line1: 'Hall 3',
    line2: 'Industriestr. 12',
    city: 'Berlin',
    postalCode: '10115',
    addressee: 'Goods in',
  };
  const key = await connection.create('Address', { ...input, country, owner: reference('Vendor', vendor) });
  await connection.update('Address', key, { line2: 'Industriestr. 14', line3: 'Gate B' });
  expect(await connection.read('Address', key)).toMatchObject({
    ...input,
    line2: 'Industriestr. 14',
    line3: 'Gate B',
    line4: null,
    country: { entity: 'Country', value: String(germany) },
    owner: { entity: 'Vendor', value: vendor },
  });
  const fields = ['street', 'invoice', 'delivery'];
  const { street, invoice, delivery } = await tryton.rpc.one('party.address', [['id', '=', Number(key)]], fields);
  expect([street, Number(invoice), Number(delivery)]).toEqual(['Hall 3\nIndustriestr. 14\nGate B', 0, 1]);
});

test('a change of a deleted record is reported', async () => {
  const key = await connection.create('Vendor', { name: 'Soon gone' });
  await connection.driver.writes.remove(connection.stream('party.party'), key, connection.intent);
  await expect(connection.update('Vendor', key, { name: 'x' })).rejects.toMatchObject({
    kind: 'gone',
  });
});
