import { compileMapping, type Platform, ROW_KEY } from '@unified/connectors';
import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { modelOfPlatform } from '../model/connection-model.ts';
import { withWritableLineFields } from './given-custom-fields.ts';

/**
 * A system whose orders are written together with their lines, and whose line mapping names these custom fields as writable.
 */
function modelWith(writable: readonly string[], writes: readonly string[] = ['update']) {
  const lines = {
    read: { refs: { entity: 'PurchaseOrderLine', by: '_idValue', each: 'rows' } },
    write: { list: { to: 'rows', fields: { quantity: 'qty' } } },
  };
  const compile = (definition: object, name: 'PurchaseOrder' | 'PurchaseOrderLine') =>
    compileMapping({ entity: name, ...definition }, { file: `${name}.yaml`, entity: entities[name] });
  const mappings = {
    PurchaseOrder: compile({ stream: 'head', fields: { lines }, writes }, 'PurchaseOrder'),
    PurchaseOrderLine: compile(
      { stream: 'line', fields: { quantity: 'qty' }, customFields: { include: ['color', 'size'], writable } },
      'PurchaseOrderLine',
    ),
  };
  const platform: Platform = {
    ...{ id: 'shop', name: 'Shop', description: '', driver: 'sql', settings: {}, options: {}, secrets: [] },
    ...{ streams: [], mappings, broken: [] },
  };
  return modelOfPlatform(platform);
}

const write = { entity: 'PurchaseOrder', op: 'update', body: {} } as const;
const lines = [{ [ROW_KEY]: '1', quantity: 2, customFields: { color: 'red', size: null } }, { [ROW_KEY]: '2' }];

test('custom fields of lines that became read-only after the write was queued are named and not sent', () => {
  expect(withWritableLineFields({ entities }, modelWith(['color', 'size']), write, { notes: 'x', lines })).toEqual({
    input: { notes: 'x', lines },
    unsupported: [],
  });
  expect(withWritableLineFields({ entities }, modelWith(['color']), write, { notes: 'x', lines })).toEqual({
    input: { notes: 'x', lines: [{ ...lines[0], customFields: { color: 'red' } }, lines[1]] },
    unsupported: ['lines.customFields.size'],
  });
});

test('lines of documents that are only deleted have no custom fields that can be written', () => {
  const { unsupported } = withWritableLineFields({ entities }, modelWith(['color', 'size'], ['delete']), write, {
    lines,
  });
  expect(unsupported).toEqual(['lines.customFields.color', 'lines.customFields.size']);
});
