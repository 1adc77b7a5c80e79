import { expect, it } from 'vitest';
import { entities } from './entities.ts';
import type { Field } from './entity.ts';
import { referredEntities } from './referred-entities.ts';

const field = (name: string, more: Partial<Field>): Field => ({
  ...{ name, kind: 'object', nullable: true, required: false, writable: true },
  ...more,
});

it('fields refer to their targets and to those within their objects, each once', () => {
  const inner = field('site', { kind: 'relation', targets: ['Site', 'Vendor'] });
  const fields = [
    field('vendor', { kind: 'relation', targets: ['Vendor'] }),
    field('place', { fields: [field('at', { fields: [inner] })] }),
  ];
  expect(referredEntities(fields)).toEqual(['Vendor', 'Site']);
});

it('what only lines refer to is included on demand', () => {
  const { fields } = entities.PurchaseOrder;
  expect(referredEntities(fields)).toContain('PurchaseOrderLine');
  expect(referredEntities(fields)).not.toContain('Item');
  expect(referredEntities(fields, { withLines: true })).toEqual(expect.arrayContaining(['PurchaseOrderLine', 'Item']));
});
