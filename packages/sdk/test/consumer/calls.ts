// Calls as users write them. This file is type-checked against the packed package: code under @ts-expect-error must not
// compile, everything else must.
import {
  type Client,
  createClient,
  type EntityRecord,
  type Page,
  type RecordList,
  ServiceError,
  type VendorInput,
  type WriteRecord,
} from '@unified/sdk';

export const client: Client = createClient({ baseUrl: 'http://localhost:4000', token: async () => 'token' });

export async function reading(): Promise<void> {
  const page = await client.vendors.list({
    filter: { name: { contains: 'acme' }, isActive: true, partnerSinceDate: { gte: new Date(), lt: '2026-11-20' } },
    sort: '-_updatedAt',
    expand: ['currency'],
    fields: ['name', 'currency', 'accountPayable'],
    per_page: 100,
  });
  const next: string | null = page.meta.next_cursor;
  for (const vendor of page.data) {
    const symbol: string | null | undefined = vendor.currency?.symbol;
    const color: string | number | boolean | null | undefined = vendor.customFields?.color;
    const href: string | undefined = vendor.accountPayable?.href;
    // @ts-expect-error an expanded field is not a reference
    vendor.currency?.href;
    // @ts-expect-error a field that is not expanded is a reference
    vendor.accountPayable?.isActive;
    console.log(next, symbol, href, color, vendor.name.toUpperCase());
  }

  for await (const order of client.workOrders.list({
    filter: { statusCategory: { in: ['open', 'in_progress'] }, priorityLevel: { lte: 2 }, site: { neq: 'an id' } },
    sort: ['statusCategory', '-code'],
  })) {
    const category = order.statusCategory;
    if (category === 'on_hold') console.log(order.site?._displayValue);
    const text: string | null | undefined = category;
    console.log(text);
  }
  for await (const { data } of client.accounts.list({ filter: { description: null } }).pages())
    console.log(data.length);

  const account = await client.accounts.get('id', { expand: ['parent.currency', 'organization'] });
  console.log(account.parent?.isActive, account.organization?.legalName, account.currency?.rel);
  console.log(account.parent?.currency?.symbol, account.parent?.organization?.href);
  const order: EntityRecord<'PurchaseOrder', 'lines'> = await client.purchaseOrders.get('id', { expand: ['lines'] });
  console.log(
    order.lines?.map(({ quantity, item }) => `${quantity} ${item?.href}`),
    order.vendor?.href,
  );
  const { subject } = await client.attachments.get('id', { expand: ['subject'] });
  if (subject && 'serialNumber' in subject) console.log(subject.serialNumber, subject.site?.href);
  const plain = await client.accounts.get('id');
  const kept: WriteRecord[] = (await client.writes.list({ status: 'failed', per_page: 10 })).data;
  console.log(plain.parent?.href, kept);
  const capability = (await client.capabilities.list()).data.find(({ entity }) => entity === 'Vendor');
  let position: string | undefined;
  for await (const { meta } of client.changes.list({ cursor: 'latest' }).pages()) position = meta.next_cursor;
  console.log(capability?.actions, position);

  client.vendors.list({ filter: { customFields: { color: 'red', size: { gt: 5 }, since: { lt: new Date() } } } });
  client.purchaseOrders.list({ filter: { vendor: { code: 'V-1' }, statusCategory: 'approved' } });
  client.purchaseOrders.list({
    filter: { vendor: { name: { contains: 'acme' }, id: { in: ['an id'] }, neq: 'an id' } },
  });
  client.purchaseOrders.list({ filter: { lines: { _displayValue: { startsWith: 'Bolt' } } } });
  // @ts-expect-error a field of related records that lists cannot be filtered by
  client.purchaseOrders.list({ filter: { vendor: { email: 'orders@acme.example' } } });
  // @ts-expect-error lines have no name
  client.purchaseOrders.list({ filter: { lines: { name: 'Bolt' } } });
  // @ts-expect-error an operator that related records do not have
  client.purchaseOrders.list({ filter: { vendor: { code: { gt: 'V-1' } } } });
  client.vendors.update('id', { customFields: { color: 'red', size: 5, isOld: true, since: null } });
  const input: VendorInput = { name: 'Acme' };
  client.vendors.create(input);
  client.vendors.create({ name: 'Acme', customFields: { color: 'red' } });
  // @ts-expect-error a custom field has a single value
  client.vendors.update('id', { customFields: { color: ['red'] } });
  console.log(capability?.customFields.filter(({ isWritable, maxLength }) => isWritable && maxLength !== null));
  // @ts-expect-error unknown operator of a custom field
  client.vendors.list({ filter: { customFields: { color: { like: 'red' } } } });
  // @ts-expect-error unknown field
  client.vendors.list({ filter: { colour: 'red' } });
  client.purchaseOrders.list({ filter: { statusCategory: 'draft' } });
  client.purchaseOrders.list({ filter: { statusCategory: { in: ['draft', 'closed'], neq: null } } });
  // @ts-expect-error a value that the contract does not list
  client.purchaseOrders.list({ filter: { statusCategory: { in: ['opne'] } } });
  // @ts-expect-error a value that the contract does not list
  client.purchaseOrders.list({ filter: { statusCategory: 'opne' } });
  // @ts-expect-error a value that the contract does not list
  client.purchaseOrders.list({ filter: { statusCategory: { neq: 'opne' } } });
  // @ts-expect-error a value that the contract does not list
  client.writes.list({ status: 'faild' });
  // @ts-expect-error a field to sort by that does not exist
  client.purchaseOrders.list({ sort: ['-statusCategroy'] });
  // @ts-expect-error unknown operator
  client.vendors.list({ filter: { name: { like: 'a' } } });
  // @ts-expect-error a text operator on a day
  client.vendors.list({ filter: { partnerSinceDate: { contains: '2026' } } });
  // @ts-expect-error a comparison of booleans
  client.vendors.list({ filter: { isActive: { gt: true } } });
  // @ts-expect-error a text for a number
  client.vendors.list({ filter: { leadTimeDays: 'ten' } });
  // @ts-expect-error a relation is always compared with an id
  client.vendors.list({ filter: { currency: null } });
  // @ts-expect-error a single value is not a list
  client.vendors.list({ filter: { code: { in: 'V-1' } } });
  // @ts-expect-error a relation cannot be sorted by
  client.vendors.list({ sort: 'currency' });
  // @ts-expect-error not a relation
  client.vendors.list({ expand: ['name'] });
  // @ts-expect-error not a relation of the related record
  client.vendors.list({ expand: ['currency.name'] });
  // @ts-expect-error deeper than the service expands
  client.vendors.list({ expand: ['accountPayable.parent.parent'] });
  // @ts-expect-error a relation of the expanded record that is not expanded itself is a reference
  (await client.accounts.get('id', { expand: ['parent'] })).parent?.parent?.isActive;
  // @ts-expect-error not a field
  client.vendors.get('id', { fields: ['colour'] });
  // @ts-expect-error unknown option
  client.vendors.list({ perPage: 10 });
  // @ts-expect-error unknown collection
  client.vendor.list();
}

export async function paging(): Promise<void> {
  let cursor: string | null | undefined;
  do {
    const page = await client.vendors.list({ cursor, expand: ['currency'], modified_after: undefined });
    console.log(page.data[0]?.currency?.symbol);
    cursor = page.meta.next_cursor;
  } while (cursor);
  let first: string | null = null;
  do {
    const page: Page<EntityRecord<'Vendor'>> = await client.vendors.list({ cursor: first });
    first = page.meta.next_cursor;
  } while (first);
  let write: string | null | undefined;
  do {
    const page = await client.writes.list({ cursor: write, status: undefined });
    write = page.meta.next_cursor;
  } while (write);
  let row: string | null | undefined;
  do {
    const page = await client.raw.rows('supplier', { cursor: row });
    row = page.meta.next_cursor;
  } while (row);
  let byPath: string | null | undefined;
  do {
    const query = { cursor: byPath, sort: null, per_page: undefined };
    const { data } = await client.GET('/vendors', { params: { query } });
    byPath = data?.meta.next_cursor;
  } while (byPath);
  // @ts-expect-error a parameter that is required
  client.GET('/vendors/{id}', { params: { path: { id: null } } });
  // @ts-expect-error null is not a condition
  client.vendors.list({ filter: null });
}

export async function writing(): Promise<void> {
  const vendor = await client.vendors.create({ name: 'ACME', currency: { _displayValue: 'EUR' } });
  const id: string = vendor.id;
  await client.vendors.update(
    'id',
    { terms: 'Net 30' },
    { onWrite: ({ writeId, warnings }) => note(writeId, warnings) },
  );
  await client.workOrders.delete('id', { onWrite: async ({ writeId }) => note(writeId, 0) });
  const queued: WriteRecord = await client.vendors.create({ name: 'ACME' }, { respondAsync: true });
  const planned: WriteRecord = await client.vendors.update(id, { terms: 'Net 30' }, { dryRun: true });
  const updated: string = (await client.vendors.update(id, { terms: 'Net 30' }, { idempotencyKey: 'k', wait: 20 }))
    .terms;
  const cancelled: WriteRecord = await client.workOrders.cancel(id, { reason: { id }, note: 'twice' }, { wait: 5 });
  const settled: WriteRecord = await client.writes.wait(cancelled.writeId, { timeoutMs: 5_000 });
  const nothing = await client.workOrders.delete(id);
  await client.workOrders.start(id);
  await client.purchaseOrders.submit(id, { note: 'please' });
  await client.writes.retry(queued.writeId, { idempotencyKey: 'k' });
  const [reading] = await client.meterReadings.createMany({
    items: [{ meter: { id }, value: 3, readAt: '2026-11-20T09:30:00Z' }],
  });
  console.log(reading?.writeId, reading?.record?.meter?.href);
  console.log(planned, updated, settled.status === 'succeeded', nothing === undefined);

  // @ts-expect-error unknown property
  client.vendors.create({ name: 'ACME', colour: 'red' });
  // @ts-expect-error missing name
  client.vendors.create({ code: 'V-1' });
  // @ts-expect-error wrong type
  client.vendors.update(id, { isActive: 'yes' });
  // @ts-expect-error a value that the contract does not list
  client.employees.create({ name: 'Maria', status: 'asleep' });
  // @ts-expect-error missing reason
  client.workOrders.cancel(id, { note: 'twice' });
  // @ts-expect-error unknown action
  client.workOrders.explode(id);
  // @ts-expect-error unknown option
  client.vendors.create({ name: 'ACME' }, { idempotency: 'k' });
  // @ts-expect-error read only
  client.purchaseOrderLines.create({});
  // @ts-expect-error the outcome is not a write record
  (await client.vendors.create({ name: 'ACME' })).writeId;
}

export async function querying(): Promise<void> {
  const statement = 'select vendor.name as vendor, count(*) as orders from purchase_orders group by 1';
  const columns = { vendor: 'text', orders: 'integer' } as const;
  for await (const { vendor, orders } of client.query(statement, { columns }))
    console.log(vendor?.length, orders?.toFixed());
  const { data, meta } = await client.query(statement, { parameters: ['a', 1, null, ['b']] });
  console.log(data[0]?.anything, meta.columns[0]?.name, meta.next_cursor);
  // @ts-expect-error no such column
  (await client.query(statement, { columns })).data[0]?.total;
  // @ts-expect-error no such type
  client.query(statement, { columns: { vendor: 'varchar' } });
}

export async function byPath(): Promise<void> {
  const { data, error, response } = await client.GET('/vendors/{id}', { params: { path: { id: 'id' } } });
  if (data) console.log(data.data.name, response.status);
  else console.log(error.code, error.message);
  await client.POST('/vendors', { body: { name: 'ACME' }, params: { header: { Prefer: 'respond-async' } } });
  const listed = await client.GET('/vendors', { params: { query: { filter: { 'name:contains': 'a' } } } });
  const names: string[] | undefined = listed.data?.data.map(({ name }) => name);
  const csv: string | undefined = (await client.GET('/audit', { parseAs: 'text' })).data;
  const revoked: undefined = (
    await client.DELETE('/connections/{id}/tokens/{tokenId}', { params: { path: { id: 'id', tokenId: 'id' } } })
  ).data;
  const file = await client.GET('/attachments/{id}', { params: { path: { id: 'id' } }, parseAs: 'blob' });
  const size: number | undefined = file.data?.size;
  // @ts-expect-error an unchanged file has neither data nor an error
  if (!file.error) file.data.size;
  console.log(names, csv, revoked, size);
  await client.GET('/vendors', {
    headers: new Headers(),
    signal: AbortSignal.timeout(1000),
    redirect: 'manual',
  });
  await client.GET('/vendors', { headers: { 'X-Number': 1, 'X-List': ['a', 'b'], 'X-None': null } });
  await client.POST('/attachments', { body: new FormData() });
  const path = { id: 'id' };
  await client.POST('/work-orders/{id}/actions/start', { params: { path } });
  await client.POST('/work-orders/{id}/actions/start', { params: { path }, body: { note: 'now' } });
  const items = await client.legacy.items.list({ filter: { code: 'CO-7' } });
  await client.legacy.vendors.replace('id', { name: items.data[0]?.name ?? '' });
  await client.legacy.GET('/items');
  // @ts-expect-error deprecated
  await client.items.list();
  // @ts-expect-error deprecated
  await client.vendors.replace('id', { name: 'ACME' });
  // @ts-expect-error deprecated
  await client.GET('/items');
  // @ts-expect-error missing name
  await client.POST('/vendors', { body: { code: 'V-1' } });
  // @ts-expect-error unknown property
  await client.POST('/vendors', { body: { name: 'ACME', colour: 'red' } });
  // @ts-expect-error missing body
  await client.POST('/vendors');
  // @ts-expect-error missing parameters
  await client.GET('/vendors/{id}');
  // @ts-expect-error missing path parameter
  await client.GET('/vendors/{id}', { params: { path: {} } });
  // @ts-expect-error unknown parameter
  await client.GET('/vendors', { params: { query: { perPage: 10 } } });
  // @ts-expect-error unknown option
  await client.GET('/vendors', { parms: {} });
  // @ts-expect-error an operation without a body
  await client.GET('/vendors', { body: {} });
  // @ts-expect-error a path without this method
  await client.DELETE('/vendors');
  // @ts-expect-error data and error are exclusive
  (await client.GET('/vendors', { parseAs: 'json' })).data.data;
}

export function failing(error: unknown): string {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'SERVICE_NOT_FOUND') return error.requestId ?? '';
  if (error.code === 'SERVICE_OF_A_LATER_RELEASE') return String(error.retryable);
  return error.writeId ?? `${error.status} ${error.message} ${String(error.details)}`;
}

export type Vendors = RecordList<{ id: string }>;
export const list: Vendors = client.vendors.list();

function note(writeId: string, warnings: number): void {
  console.log(writeId, warnings.toFixed());
}
