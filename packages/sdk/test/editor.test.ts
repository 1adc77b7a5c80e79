import { operations } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { camelCase, collectionCalls } from '../build/collections.ts';
import { inEditor } from './editor.ts';

const ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

const record = '(property) Vendors.';
const options = (name: string) => `options?: ${name}<false> | undefined`;
const HOVERS: readonly (readonly [code: string, shown: string])[] = [
  ['client.ven|dors', '(property) Collections.vendors: Vendors'],
  ['client.leg|acy', '(property) Client.legacy: Legacy'],
  [
    "client.vendors.cre|ate({ name: 'ACME' })",
    `${record}create: <false>(body: VendorInput, ${options('WriteOptions')}) => Promise<EntityRecord<"Vendor">>`,
  ],
  [
    `client.vendors.upd|ate('${ID}', {})`,
    `${record}update: <false>(id: string, body: VendorPatch, ${options('ChangeOptions')}) => Promise<EntityRecord<"Vendor">>`,
  ],
  [
    `client.bins.repl|ace('${ID}', { name: 'A' })`,
    `(property) Bins.replace: <false>(id: string, body: BinInput, ${options('ChangeOptions')}) => Promise<EntityRecord<"Bin">>`,
  ],
  [
    `client.meterReadings.create|Many({ items: [] })`,
    '(property) MeterReadings.createMany: (body: MeterReadingBatch, options?: ActionOptions) => Promise<BatchItem<"MeterReading">[]>',
  ],
  [
    `client.workOrders.can|cel('${ID}', { reason: {} })`,
    '(property) WorkOrders.cancel: (id: string, body: WorkOrderCancel, options?: ActOptions) => Promise<WriteRecord>',
  ],
  [
    `client.workOrders.st|art('${ID}')`,
    '(property) WorkOrders.start: (id: string, body?: WorkOrderStart | undefined, options?: ActOptions) => Promise<WriteRecord>',
  ],
  [
    'client.vendors.li|st()',
    `${record}list: <never, undefined>(options?: ListOptions<"Vendor", never, undefined> | undefined) => RecordList<EntityRecord<"Vendor", never>, PageMeta>`,
  ],
  [
    `client.vendors.g|et('${ID}', { expand: ['currency'] })`,
    `${record}get: <"currency", undefined>(id: string, options?: GetOptions<"Vendor", "currency", undefined> | undefined) => Promise<EntityRecord<"Vendor", "currency">>`,
  ],
  [
    'client.legacy.items.li|st()',
    '(property) LegacyItems.list: <never, undefined>(options?: ListOptions<"Item", never, undefined> | undefined) => RecordList<EntityRecord<"Item", never>, PageMeta>',
  ],
];

const OFFERS = [
  'client.|',
  'client.vendors.|',
  'client.legacy.|',
  'client.legacy.vendors.|',
  "client.purchaseOrders.list({ filter: { statusCategory: { in: ['|'] } } })",
  "client.PUT('|')",
  "client.POST('/connections/{id}/token', { params: { path: { id: 'id' } }, body: { | } })",
  "client.GET('/vendors', { parseAs: '|' })",
];

/** Calls that do not compile, with parts of what the compiler reports. */
const MISTAKES: readonly (readonly [code: string, ...reported: string[]])[] = [
  [
    "client.vendors.create({ name: 'A', isActiv: true })|",
    "in type 'VendorInput'",
    "Did you mean to write 'isActive'?",
  ],
  ["client.purchaseOrders.create({ vendor: { number: 'A' } })|", "'number' does not exist in type 'RelationTarget'"],
  [
    'client.purchaseOrders.create({ vendor: {} })|',
    "Property 'lines' is missing",
    "required in type 'PurchaseOrderInput'",
  ],
  ["client.vendors.list({ expand: ['curency'] })|", `Did you mean '"currency"'?`],
  [
    "client.POST('/vendors', { body: { name: 'A', isActiv: true } })|",
    "in type 'VendorInput'",
    "Did you mean to write 'isActive'?",
  ],
  ["client.POST('/vendors', { body: { code: 'A' } })|", "Property 'name' is missing", "required in type 'VendorInput'"],
  [
    "client.workOrders.list({ filter: { statusCategory: 'opne' } })|",
    'Type \'"opne"\' is not assignable to type \'EnumCondition<"draft" | ',
  ],
];

const shown = inEditor([...HOVERS, ...OFFERS.map((code) => [code] as const), ...MISTAKES].map(([code]) => code));

it.each(HOVERS.map(([code, declaration], at) => ({ code, declaration, at })))(
  'an editor shows types by name: $code',
  ({ declaration, at }) => {
    expect(shown[at]?.hover).toBe(declaration);
  },
);

it.each(MISTAKES.map(([code, ...reported], at) => ({ code, reported, at })))(
  'an editor reports mistakes by the names of types: $code',
  ({ reported, at }) => {
    const { error } = shown[HOVERS.length + OFFERS.length + at] ?? {};
    for (const part of reported) expect(error).toContain(part);
  },
);

describe('an editor offers', () => {
  const offered = shown
    .slice(HOVERS.length, HOVERS.length + OFFERS.length)
    .map(({ completions }) => completions.toSorted());
  const [client, vendors, legacy, legacyVendors, statusCategories, paths, body, forms] = offered;
  const namesOf = (isOffered: (call: { deprecated: boolean }) => boolean) =>
    Map.groupBy(
      collectionCalls(operations).filter(({ operation }) => isOffered(operation)),
      ({ collection }) => camelCase(collection),
    );
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

  it('the collections with current operations', () => {
    const current = namesOf(({ deprecated }) => !deprecated);
    expect(client).toEqual([...current.keys(), ...METHODS, 'legacy', 'passthrough', 'query', 'raw'].toSorted());
    expect(vendors).toEqual(['create', 'get', 'list', 'update']);
  });

  it('deprecated operations only below `legacy`', () => {
    const deprecated = namesOf((operation) => operation.deprecated);
    expect(legacy).toEqual([...deprecated.keys(), ...METHODS].toSorted());
    expect(legacyVendors).toEqual(['replace']);
  });

  it('the listed values of an enum', () => {
    const values = ['draft', 'pending_approval', 'approved', 'partially_received', 'received', 'closed', 'cancelled'];
    expect(statusCategories).toEqual(values.toSorted());
  });

  it('the paths of current operations, the properties of their bodies, and the forms of their data', () => {
    const current = operations.filter(({ method, deprecated }) => method === 'put' && !deprecated);
    expect(paths).toEqual(current.map(({ path }) => path).toSorted());
    expect(body).toEqual(['access', 'expiresInDays', 'name', 'scopes']);
    expect(forms).toEqual(['arrayBuffer', 'blob', 'json', 'stream', 'text']);
  });
});
