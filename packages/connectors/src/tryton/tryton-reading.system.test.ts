import { describe, expect, test } from 'vitest';
import { Connection, idOf, trytonOfFile } from '../../test/running-tryton.ts';

const { tryton, connection } = await trytonOfFile();

/** Names of the records of an entity, as a full pass reads them. */
async function namesOf(entity: string): Promise<unknown[]> {
  const mapping = connection.mapping(entity);
  const rows = await connection.pullAll(mapping.stream);
  return rows
    .map((row) => mapping.read(row))
    .filter((record) => record !== null)
    .map(({ values }) => values.name);
}

describe('a full pass', () => {
  test('reads every row once, in pages, in the order of the ids', async () => {
    const all = await tryton.rpc.search('party.party', []);
    const rows = await connection.pullAll('party.party', { limit: 7 });
    expect(rows.map(({ key }) => key)).toEqual(all.map(({ id }) => String(id)));
  });

  test('reads rows whose ids are 0 and less, and each of them by its key', async () => {
    const stream = { ...connection.stream('res.user'), pageSize: 2 };
    const [, low] = await Promise.all([0, -3].map((id) => connection.driver.read(stream, String(id))));
    expect(low).toBeNull();
    const all = await tryton.rpc.search('res.user', [['active', 'in', [true, false]]]);
    expect(all.map(({ id }) => id)).toContain(0);
    const rows = await connection.pullAll('res.user', { limit: 1 });
    expect(rows.map(({ key }) => key).sort()).toEqual(all.map(({ id }) => String(id)).sort());
    expect(await connection.driver.read(stream, '0')).toMatchObject({ login: 'root', active: false });
    const since = '1970-01-01T00:00:00.000Z';
    const changed = await connection.pullAll('res.user', { since });
    expect(changed.map(({ key }) => key)).toContain('0');
  });

  test('reads every stream of the platform, and each row of it in every mapping without an unknown path', async () => {
    for (const { name } of connection.platform.streams) {
      const rows = await connection.pullAll(name);
      expect(rows.length, name).toBeGreaterThan(0);
      for (const { stream, paths } of Object.values(connection.platform.mappings)) {
        if (stream !== name) continue;
        const known = Object.keys(rows[0]?.row ?? {});
        for (const { path } of paths) expect(known, `${name}: ${path}`).toContain(path.split('.')[0]);
      }
    }
  });

  test('reads inactive rows as well', async () => {
    const id = await tryton.rpc.createOne('party.party', { name: 'Asleep' });
    await tryton.rpc.write('party.party', id, { active: false });
    const rows = await connection.pullAll('party.party');
    expect(rows.find(({ key }) => key === String(id))?.row).toMatchObject({ name: 'Asleep', active: false });
  });

  test('returns plain JSON: decimals and dates are text', async () => {
    const line = await connection.driver.read(connection.stream('purchase.line'), '1');
    expect(line).toMatchObject({ unit_price: '1.2500', quantity: 5, position: 1 });
    const order = await connection.driver.read(connection.stream('purchase.purchase'), '1');
    expect(order).toMatchObject({ purchase_date: '2026-01-01', state: 'draft', payment_term: { name: 'Net 30' } });
    expect(order?.create_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);
  });
});

describe('the flags of a party', () => {
  test('make vendors of those with a category, terms, a supply agreement or an order', async () => {
    const names = await namesOf('Vendor');
    expect(names).toHaveLength(31);
    expect(names).toEqual(expect.arrayContaining(['Acme Supplies', 'Acme Steel', 'Acme Fasteners', 'Barter Brothers']));
  });

  test('make customers of those with a category or terms', async () => {
    const names = await namesOf('Customer');
    expect(names).toHaveLength(25);
    expect(names).toContain('Barter Brothers');
  });

  test('leave out parties that are neither', async () => {
    const names = [...(await namesOf('Vendor')), ...(await namesOf('Customer'))];
    expect(names).not.toContain('City Tax Office');
    expect(names).not.toContain('Erika Muster');
  });

  test('identify the owner of an address', async () => {
    const vendor = await tryton.rpc.one('party.party', [['code', '=', 'V003']], ['addresses']);
    const [address] = vendor.addresses as number[];
    expect(await connection.read('Address', String(address))).toMatchObject({
      line1: '3 Dock Road',
      city: 'Lyon',
      owner: { entity: 'Vendor', by: '_idValue', value: String(vendor.id) },
    });
  });
});

test('a deleted row is read as null', async () => {
  const id = await tryton.rpc.createOne('party.party', { name: 'Short-lived' });
  expect(await connection.driver.read(connection.stream('party.party'), String(id))).toMatchObject({ id });
  await tryton.rpc.call('party.party', 'delete', [id]);
  expect(await connection.driver.read(connection.stream('party.party'), String(id))).toBeNull();
  expect(await connection.driver.read(connection.stream('party.party'), 'no-number')).toBeNull();
});

test('a stream of a module that is not installed is empty', async () => {
  const stream = { ...connection.stream('party.party'), name: 'party.nowhere', options: { fields: ['name'] } };
  expect(await connection.driver.pull({ stream, from: null, limit: 10 })).toEqual({
    rows: [],
    next: null,
  });
});

test('reads the entities of the platform with their references', async () => {
  expect(await connection.read('Employee', '2')).toMatchObject({
    name: 'Jonas Berg',
    email: 'jonas@demo.example',
    hireDate: '2020-06-15',
    superior: { entity: 'Employee', value: '1' },
    organization: { entity: 'Organization', value: '1' },
  });
  expect(await connection.read('Organization', '1')).toMatchObject({
    name: 'Demo Industries Inc.',
    taxNumber: '91-1144442',
    email: 'office@demo.example',
  });
  const payable = await idOf(tryton, 'account.account', 'name', 'Main Payable');
  expect(await connection.read('Account', String(payable))).toMatchObject({
    name: 'Main Payable',
    classification: 'liability',
    accountType: 'accounts_payable',
    isActive: true,
    isHeader: false,
  });
  expect(await connection.read('Item', '2')).toMatchObject({
    code: 'PLATE-1',
    name: 'Steel plate',
    itemType: 'inventory',
    standardCost: 12.5,
    salesPrice: 20,
    isPurchased: true,
    purchaseAccount: {
      entity: 'Account',
      value: String(await idOf(tryton, 'account.account', 'name', 'Main Expense')),
    },
  });
});

test('default terms of new parties do not make them customers', async () => {
  await tryton.rpc.call('account.configuration', 'write', [1], { default_customer_payment_term: 1 });
  const party = await tryton.rpc.createOne('party.party', { name: 'Any Party' });
  const kept = await tryton.rpc.one('party.party', [['id', '=', party]], ['customer_payment_term']);
  expect(kept).toMatchObject({ customer_payment_term: 1 });
  const later = new Connection(tryton);
  expect(await later.read('Customer', String(party))).toBeNull();
  await later.driver.close();
});
