import { expect, test } from 'vitest';
import { RecordReferences, unmatchedReferences } from './record-references.ts';

const record = (_idValue: string, values: object, references: object = {}) => ({
  ...{ _source: 's', _idValue, values: { ...values }, references: { ...references } },
});

function orders(by: 'code' | '_idValue'): RecordReferences {
  const all = new RecordReferences();
  for (const [key, value] of [
    ['1', 'V-1'],
    ['2', 'V-9'],
    ['3', 'V-9'],
    ['4', 'V-8'],
  ] as const)
    all.add('PurchaseOrder', record(key, {}, { vendor: { entity: 'Vendor', by, value }, buyer: null }));
  return all;
}

function vendors(): RecordReferences {
  const all = new RecordReferences();
  all.add('Vendor', record('7', { code: 'V-1', name: 'Acme' }));
  return all;
}

test('references that match no record are counted by field, with an example', () => {
  expect(unmatchedReferences([orders('code'), vendors()], () => true)).toEqual([
    expect.stringMatching(/^PurchaseOrder\.vendor: 3 of 4 references match no Vendor by code, such as "V-9"\. /),
  ]);
  expect(unmatchedReferences([orders('_idValue'), vendors()], () => true)).toEqual([
    expect.stringMatching(/^PurchaseOrder\.vendor: 4 of 4 references match no Vendor by _idValue, such as "V-1"\. /),
  ]);
});

test('records that were not all read are not missed', () => {
  expect(unmatchedReferences([orders('code'), vendors()], (entity) => entity !== 'Vendor')).toEqual([]);
});
