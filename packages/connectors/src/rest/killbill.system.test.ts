import { describe, expect, onTestFinished, test } from 'vitest';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { httpServer } from '../../test/http-server.ts';
import { reference } from '../../test/rest-connection.ts';
import { killBillConnection, killBillOfFile } from '../../test/running-killbill.ts';
import type { Row } from '../driver.ts';

const { killBill, connection } = await killBillOfFile();
const { api, tenant } = killBill;
const [first = '', second = ''] = tenant.accounts;
const { invoices } = tenant;
const customer = reference('Customer', second);

const keys = async (name: string, limit = 100) => (await connection.pullAll(name, { limit })).map(({ key }) => key);
const account = (key: string) => api.one(`/accounts/${key}`);
const invoice = (key: string) => api.one(`/invoices/${key}`);

describe('a full pass', () => {
  test.each([2, 100])('reads every account once, in pages of %i', async (limit) => {
    const listed = (await api.list('/accounts/pagination?limit=1000')).map(({ accountId }) => accountId);
    expect(await keys('accounts', limit)).toEqual(listed);
  });

  test('reads every stream, and each row of it in every mapping without a problem', () =>
    expectEveryStreamToBeMapped(connection));

  test('reads the invoices of all accounts, in every state', async () => {
    expect(await keys('invoices')).toEqual(expect.arrayContaining(Object.values(invoices)));
  });
});

describe('a record', () => {
  test('of an invoice has its state, its amounts and its lines', async () => {
    const states = { open: 'approved', partlyPaid: 'partially_paid', paid: 'paid', draft: 'pending_approval' };
    for (const [name, statusCategory] of Object.entries({ ...states, voided: 'cancelled' }))
      expect(await connection.read('Invoice', invoices[name as keyof typeof invoices]), name).toMatchObject({
        statusCategory,
        customer: { entity: 'Customer', value: first },
      });
    expect(await connection.read('Invoice', invoices.partlyPaid)).toMatchObject({ total: 100, balance: 70 });
    const open = await connection.read('Invoice', invoices.open);
    expect(open).toMatchObject({ total: 132.5, balance: 132.5, currency: { by: 'code', value: 'USD' } });
    const references = open?.lines as { value: string }[] | undefined;
    const lines = await Promise.all((references ?? []).map(({ value }) => connection.read('InvoiceLine', value)));
    expect(lines.sort((a, b) => Number(b?.total) - Number(a?.total))).toMatchObject([
      { description: 'Bearing', quantity: 3, unitPrice: 40, total: 120, lineType: 'item' },
      { description: 'Freight', quantity: 1, unitPrice: 12.5, total: 12.5 },
    ]);
  });

  test('of a payment has its invoice, of a contract its plan, and of an item its price', async () => {
    const [payment = ''] = tenant.payments;
    expect(await connection.read('Payment', payment)).toMatchObject({
      direction: 'incoming',
      amount: 30,
      statusCategory: 'paid',
      invoices: [{ entity: 'Invoice', value: invoices.partlyPaid }],
      customer: { value: first },
    });
    expect(await connection.read('Contract', tenant.subscription)).toMatchObject({
      code: 'S-1',
      name: 'pump-monthly',
      party: { entity: 'Customer', value: first },
      statusCategory: 'active',
    });
    expect(await connection.read('Item', 'pump-monthly')).toMatchObject({ code: 'pump-monthly', salesPrice: 49.9 });
    expect(await connection.read('Currency', 'USD')).toMatchObject({ isoCode: 'USD' });
    expect(await connection.read('Customer', first)).toMatchObject({
      code: 'C-001',
      legalName: 'Customer 1 Holding',
      billingAddress: { line1: '5 Dock Street', city: 'Brooklyn', countryCode: 'US' },
    });
  });

  test('that does not exist is not found', async () => {
    const missing = crypto.randomUUID();
    for (const entity of ['Customer', 'Invoice', 'InvoiceLine', 'Payment', 'Contract', 'Item'])
      expect(await connection.read(entity, missing), entity).toBeNull();
  });
});

test('a wrong password, and a wrong secret of the tenant, are refused', async () => {
  for (const wrong of [{ password: 'wrong' }, { apiSecret: 'wrong' }, { apiKey: 'wrong' }]) {
    const refused = killBillConnection({ ...killBill, ...wrong });
    await expect(refused.driver.check(), JSON.stringify(wrong)).rejects.toMatchObject({ kind: 'unauthorized' });
    await refused.driver.close();
  }
});

describe('a customer', () => {
  const values = {
    code: 'N-1',
    name: 'Northwind',
    legalName: 'Northwind Works GmbH',
    parent: customer,
    currency: reference('Currency', 'USD', 'USD'),
    email: 'billing@northwind.example',
    phone: '+49 40 1234',
    notes: 'Pays by card',
    billingAddress: {
      line1: 'Hafenstr. 4',
      line2: 'Building B',
      city: 'Hamburg',
      state: 'HH',
      postalCode: '20457',
      countryCode: 'DE',
    },
  };

  test('that is created is in Kill Bill with every field, and is found if the response is lost', async () => {
    expect(Object.keys(values).sort()).toEqual([...connection.mapping('Customer').writable].sort());
    expect(await connection.findCreated('Customer', values, null)).toBeUndefined();
    const key = await connection.create('Customer', values);
    expect(await account(key)).toMatchObject({
      externalKey: 'N-1',
      name: 'Northwind',
      company: 'Northwind Works GmbH',
      parentAccountId: second,
      currency: 'USD',
      email: 'billing@northwind.example',
      phone: '+49 40 1234',
      notes: 'Pays by card',
      address1: 'Hafenstr. 4',
      address2: 'Building B',
      city: 'Hamburg',
      state: 'HH',
      postalCode: '20457',
      country: 'DE',
    });
    expect(await connection.findCreated('Customer', values, null)).toBe(key);
  });

  test('that is changed has the new values, keeps the others, and loses those that are cleared', async () => {
    const key = await connection.create('Customer', { ...values, code: 'N-2' }, { writeId: '0198-n2' });
    await connection.update('Customer', key, {
      name: 'Northwind Ltd',
      notes: null,
      billingAddress: { city: 'Bremen' },
    });
    expect(await account(key)).toMatchObject({ name: 'Northwind Ltd', city: 'Bremen', address1: 'Hafenstr. 4' });
    expect(await connection.read('Customer', key)).toMatchObject({ notes: null, phone: '+49 40 1234' });
    await connection.update('Customer', key, { email: null, billingAddress: null });
    expect(await connection.read('Customer', key)).toMatchObject({ email: null, billingAddress: null });
  });

  test('with the code of another one is a duplicate, and a code cannot be changed', async () => {
    const again = connection.create('Customer', { ...values, code: 'C-001' }, { writeId: '0198-n3' });
    await expect(again).rejects.toMatchObject({ kind: 'duplicate' });
    await expect(connection.update('Customer', second, { code: 'C-999' })).rejects.toMatchObject({ kind: 'rejected' });
    expect(await account(second)).toMatchObject({ externalKey: 'C-002' });
  });
});

describe('an invoice', () => {
  const item = reference('Item', 'pump-monthly', 'pump-monthly');
  const invoiceType = 'accounts_receivable';
  const lines = [
    { description: 'Bearing 6204', quantity: 3, unitPrice: 19.99, item, serviceDate: '2026-11-20' },
    { description: 'Freight', unitPrice: 12.5 },
  ];
  const draft = (writeId: string) => connection.create('Invoice', { invoiceType, customer, lines }, { writeId });

  test('that is created is a draft with its charges, and is found if the response is lost', async () => {
    expect([...connection.mapping('Invoice').writable].sort()).toEqual(['customer', 'invoiceType', 'lines']);
    const input = { invoiceType, customer, lines };
    expect(await connection.findCreated('Invoice', input, null)).toBeUndefined();
    const key = await connection.create('Invoice', input);
    const stored = await invoice(key);
    expect(stored).toMatchObject({ accountId: second, status: 'DRAFT', amount: 72.47 });
    expect(stored.items).toHaveLength(2);
    expect(stored.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ description: 'Bearing 6204', quantity: 3, rate: 19.99, amount: 59.97 }),
        expect.objectContaining({ description: 'Freight', rate: 12.5, amount: 12.5 }),
      ]),
    );
    expect(await connection.findCreated('Invoice', input, null)).toBe(key);
  });

  test('is committed, voided, and moved to a state', async () => {
    const acted = new Set<string>();
    const act = async (key: string, action: string, input: Row, status: string) => {
      acted.add(action);
      await connection.act('Invoice', key, action, input);
      expect(await invoice(key), action).toMatchObject({ status });
    };
    const key = await draft('0198-i1');
    await act(key, 'approve', { note: 'Checked' }, 'COMMITTED');
    await act(await draft('0198-i2'), 'cancel', {}, 'VOID');
    await act(await draft('0198-i3'), 'set-status', { statusCategory: 'approved' }, 'COMMITTED');
    expect([...acted].sort()).toEqual(Object.keys(connection.mapping('Invoice').actions).sort());
    await expect(connection.act('Invoice', key, 'approve')).rejects.toMatchObject({ kind: 'rejected' });
    const [log] = (await api.list(`/invoices/${key}/auditLogsWithHistory`)).filter(
      ({ comments }) => comments === 'Checked',
    );
    expect(log).toMatchObject({ changedBy: killBill.user });
  });

  test('without a customer, or with a quantity that Kill Bill would cut to an integer, is refused', async () => {
    await expect(connection.create('Invoice', { lines }, { writeId: '0198-i4' })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringContaining('accountId'),
    });
    const half = [{ description: 'Half an hour', quantity: 0.5, unitPrice: 80 }];
    const creating = connection.create('Invoice', { customer, lines: half }, { writeId: '0198-i5' });
    await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining('quantity') });
  });
});

describe('a payment', () => {
  const bill = () => api.charge(second, [{ description: 'Seal', rate: 80, quantity: 1, amount: 80 }], true);
  const payment = (target: string, more: Row = {}) => ({
    direction: 'incoming',
    customer,
    transactionDate: '2026-11-20',
    amount: 80,
    allocations: [{ target: reference('Invoice', target) }],
    ...more,
  });

  test('of an invoice pays it, and is found if the response is lost', async () => {
    const target = await bill();
    const input = payment(target, { reference: 'E2E-1' });
    expect(Object.keys(input).sort()).toEqual([...connection.mapping('Payment').writable].sort());
    expect(await connection.findCreated('Payment', input, null)).toBeUndefined();
    const key = await connection.create('Payment', input);
    expect(await api.one(`/payments/${key}`)).toMatchObject({ purchasedAmount: 80, paymentExternalKey: 'E2E-1' });
    expect(await invoice(target)).toMatchObject({ balance: 0 });
    expect(await connection.read('Payment', key)).toMatchObject({ transactionDate: '2026-11-20', amount: 80 });
    expect(await connection.findCreated('Payment', input, null)).toBe(key);
  });

  test('that is outgoing, of no invoice or of several is refused before it is sent', async () => {
    const [target, other] = [await bill(), await bill()];
    const allocations = [target, other].map((each) => ({ target: reference('Invoice', each) }));
    for (const more of [{ allocations: [] }, { allocations }])
      await expect(connection.create('Payment', payment(target, more)), JSON.stringify(more)).rejects.toMatchObject({
        kind: 'rejected',
      });
    await expect(connection.create('Payment', payment(target, { direction: 'outgoing' }))).rejects.toThrow('direction');
    expect(await invoice(target)).toMatchObject({ balance: 80 });
  });
});

test('a contract is a subscription to the plan that it is named after', async () => {
  const values = { code: 'S-2', name: 'compressor-monthly', party: customer, startDate: '2026-11-01' };
  expect(Object.keys(values).sort()).toEqual([...connection.mapping('Contract').writable].sort());
  const key = await connection.create('Contract', values);
  expect(await api.one(`/subscriptions/${key}`)).toMatchObject({
    externalKey: 'S-2',
    planName: 'compressor-monthly',
    accountId: second,
    startDate: '2026-11-01',
    billingStartDate: '2026-11-01',
  });
  expect(await connection.findCreated('Contract', values, null)).toBe(key);
  const unknown = connection.create('Contract', { ...values, code: 'S-3', name: 'Any plan' }, { writeId: '0198-c2' });
  await expect(unknown).rejects.toMatchObject({ kind: 'rejected' });
});

test('a create whose response a proxy loses is found, and is there once', async () => {
  const url = await httpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = 'GET', url: path, headers } = request;
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers as Record<string, string>;
    const passed = await fetch(`${killBill.url}${path}`, { method, headers: kept, ...(body !== '' && { body }) });
    if (method !== 'GET') return response.destroy();
    const total = passed.headers.get('x-killbill-pagination-totalnbrecords');
    response.writeHead(passed.status, {
      'content-type': 'application/json',
      ...(total && { 'x-killbill-pagination-totalnbrecords': total }),
    });
    return response.end(await passed.text());
  });
  const through = killBillConnection({ ...killBill, url: url.href });
  onTestFinished(() => through.driver.close());
  const lines = [{ description: 'Once', unitPrice: 1 }];
  const intent = { writeId: '0198-lost' };
  await expect(through.create('Invoice', { customer, lines }, intent)).rejects.toMatchObject({ kind: 'unknown' });
  const same = (await api.list(`/accounts/${second}/invoices`)).filter(({ items }) =>
    (items as Row[]).some(({ description }) => description === 'Once'),
  );
  expect(same).toHaveLength(1);
  const found = await through.driver.writes.findCreated(
    through.stream('invoices'),
    { accountId: second },
    { ...intent, position: null, sentAt: '2026-11-20T09:30:15Z' },
  );
  expect(found?.key).toBe(same[0]?.invoiceId);
});

test('every write and action is found by the check of a connection', async () => {
  for (const { stream: name, writes, actions, entity } of Object.values(connection.platform.mappings)) {
    const acts = Object.values(actions).flatMap(({ acts: names }) => names);
    const { problems } = await connection.driver.discover.probe(connection.stream(name), { actions: acts, writes });
    expect(problems, entity).toEqual([]);
  }
});
