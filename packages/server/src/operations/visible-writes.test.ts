import { entities } from '@unified/contract';
import type { Scope, TokenAccess, WriteRecord } from '@unified/store';
import { expect, it } from 'vitest';
import { narrowedTo } from '../query/token-access.ts';
import { shownWrite } from './visible-writes.ts';

const limitedTo = (access: TokenAccess) => ({
  scope: { entities } as unknown as Scope,
  narrow: narrowedTo(access),
});
const limits = limitedTo([{ entity: 'Vendor', fields: ['notes'] }]);

function shownFor(details: readonly object[]) {
  const error = { code: 'VENDOR_REJECTED', message: 'Rating 4 is too low.', details };
  const write = { entity: 'Vendor', error, steps: [{ n: 1, error }], result: null, warnings: [], resolvedRefs: [] };
  const shown = shownWrite(write as unknown as WriteRecord, limits);
  return { error, shown: [shown.error, shown.steps[0]?.error] };
}

it.each([
  [[]],
  [[{ field: 'rating', value: 4 }]],
  [[{ path: 'body/rating', message: '4' }]],
  [[{ field: 'notes' }, { field: 'rating' }]],
  [[{ value: 4 }]],
])('an error of a write is shown without message and details to a token that may lack its fields: %j', (details) => {
  const hidden = { code: 'VENDOR_REJECTED', message: 'The write failed.', details: [] };
  expect(shownFor(details).shown).toEqual([hidden, hidden]);
});

it('an error about fields that the token gives access to is shown as it is', () => {
  const { shown, error } = shownFor([{ field: 'notes' }, { path: 'body/notes/0' }]);
  expect(shown).toEqual([error, error]);
});

/** A write that succeeded with warnings about a reference that was sent by label, and a write that failed because of it. */
function writesWith(entity: string, field: string, rel: string) {
  const link = { field, id: '1', rel, _idValue: 'ref-1', _displayValue: 'Secret crown' };
  const error = { code: 'REJECTED', message: 'Secret crown is closed.', details: [{ field }] };
  const unchanged = { entity, error: null, steps: [], warnings: [], resolvedRefs: [], customFields: {} };
  return [
    {
      ...unchanged,
      result: { links: [link], record: {} },
      warnings: [{ field, message: 'Secret crown was shortened.' }],
      resolvedRefs: [{ field, given: { _displayValue: 'Secret crown' }, link }],
    },
    { ...unchanged, result: null, error, steps: [{ n: 1, error }] },
  ] as unknown as WriteRecord[];
}

const whole = (...names: string[]) => names.map((entity) => ({ entity }));
const related = (...names: (keyof typeof entities)[]) =>
  whole(...names, ...names.flatMap((name) => entities[name].fields.flatMap(({ targets = [] }) => targets)));
const without = (hidden: string, access: TokenAccess) => access.filter(({ entity }) => entity !== hidden);

it.each<[string, string, string, string, TokenAccess]>([
  ['all of it', 'Vendor', 'currency', 'Currency', whole('Vendor', 'Currency')],
  ['all that the record refers to', 'Vendor', 'currency', 'Currency', related('Vendor')],
  [
    'its label',
    ...(['Vendor', 'currency', 'Currency'] as const),
    [{ entity: 'Vendor' }, { entity: 'Currency', fields: ['isoCode', '_displayValue'] }],
  ],
  ['its label, and to a view', 'Contact', 'vendor', 'Vendor', whole('Contact', 'Person', 'Vendor')],
  ['all of it', 'SalesOrder', 'location', 'Location', whole('SalesOrder', 'Location')],
])('a write shows a referenced label to a token for %s: %s.%s', (_name, entity, field, rel, access) => {
  for (const write of writesWith(entity, field, rel)) expect(shownWrite(write, limitedTo(access))).toEqual(write);
});

it.each<[string, string, string, string, TokenAccess]>([
  ['the entity', 'Vendor', 'currency', 'Currency', whole('Vendor')],
  [
    'its name',
    ...(['Vendor', 'currency', 'Currency'] as const),
    [...without('Currency', related('Vendor')), { entity: 'Currency', fields: ['isoCode'] }],
  ],
  ['what only an action refers to', 'WorkOrder', 'reason', 'Taxonomy', without('Taxonomy', related('WorkOrder'))],
  [
    'what only lines refer to',
    ...(['PurchaseOrder', 'lines[0].item', 'Item'] as const),
    without('Item', related('PurchaseOrder', 'PurchaseOrderLine')),
  ],
])('a write hides a referenced label from a token without %s: %s.%s', (_name, entity, field, rel, access) => {
  const shown = writesWith(entity, field, rel).map((write) => shownWrite(write, limitedTo(access)));
  expect(shown[0]?.resolvedRefs).toMatchObject([{ given: { id: '1' }, link: { _displayValue: 'ref-1' } }]);
  expect(shown[0]?.result?.links).toMatchObject([{ _displayValue: 'ref-1' }]);
  expect(JSON.stringify(shown)).not.toContain('Secret crown');
});

it('a write hides the label of a record that only an action refers to', () => {
  const [write] = writesWith('SalesOrder', 'location', 'Location');
  const access = without('Location', related('SalesOrder'));
  const { resolvedRefs } = shownWrite(write as WriteRecord, limitedTo(access));
  expect(resolvedRefs).toMatchObject([{ given: { id: '1' }, link: { _displayValue: 'ref-1' } }]);
});

it.each<[string, TokenAccess, readonly string[]]>([
  ['one view', [{ entity: 'PickTask' }], ['notes', 'priorityLevel']],
  [
    'two views, those that they share',
    [{ entity: 'PickTask' }, { entity: 'CycleCount', fields: ['notes'] }],
    ['notes'],
  ],
  ['the entity and a view', [{ entity: 'InventoryDocument', fields: ['notes'] }, { entity: 'PickTask' }], ['notes']],
])(
  'a write shows the fields that a token has for every write that it sees, with access to %s',
  (_name, access, names) => {
    const [write] = writesWith('InventoryDocument', 'location', 'Location');
    const record = { notes: 'Gate 2', priorityLevel: 1 };
    const stored = { ...write, result: { links: [], record } } as unknown as WriteRecord;
    const shown = shownWrite(stored, limitedTo(access));
    expect(Object.keys(shown.result?.record ?? {})).toEqual(names);
  },
);

it.each<[string, TokenAccess, string]>([
  ['shown', related('Vendor'), 'Secret crown is closed.'],
  ['hidden', without('Currency', related('Vendor')), 'The write failed.'],
])(
  'an error that names no field is shown in full if the labels that it may contain are: %s',
  (_name, access, message) => {
    const [, failed] = writesWith('Vendor', 'currency', 'Currency');
    const error = { code: 'REJECTED', message: 'Secret crown is closed.', details: [] };
    const shown = shownWrite({ ...failed, error, steps: [] } as unknown as WriteRecord, limitedTo(access));
    expect(shown.error?.message).toBe(message);
  },
);

it.each<[string, TokenAccess, string[]]>([
  ['all fields of the lines', whole('PurchaseOrder', 'PurchaseOrderLine'), ['lines[0].quantity', 'lines[1].price']],
  [
    'some fields of the lines',
    [{ entity: 'PurchaseOrder' }, { entity: 'PurchaseOrderLine', fields: ['quantity'] }],
    ['lines[0].quantity'],
  ],
  ['no lines', whole('PurchaseOrder'), []],
])('warnings about lines are shown to a token for %s', (_name, access, shown) => {
  const warnings = ['lines[0].quantity', 'lines[1].price'].map((field) => ({
    code: 'VALUE_ADJUSTED',
    field,
    message: '4',
  }));
  const write = { entity: 'PurchaseOrder', error: null, steps: [], warnings, resolvedRefs: [], result: null };
  const { warnings: left } = shownWrite({ ...write, customFields: {} } as unknown as WriteRecord, limitedTo(access));
  expect(left.map(({ field }) => field)).toEqual(shown);
});
