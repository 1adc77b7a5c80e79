import { randomUUID } from 'node:crypto';
import { entities } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

type Doc = Readonly<Record<string, unknown>>;
interface Answer {
  readonly data: Doc & { readonly id: string; readonly lines: readonly Doc[] };
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

const write = (method: 'POST' | 'PUT', path: string, json: object) => {
  const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  return company.send<Answer>(path, { method, headers, json });
};

const item = { _displayValue: 'Hex bolt M8 × 40' };
const place = { _displayValue: 'Warehouse HAM-A' };
const store = { _displayValue: 'Storeroom HAM-A' };

/**
 * For each view: fields of its records and lines that no other view has, a body to create a record, and a field of another
 * view.
 */
const views = [
  {
    entity: entities.PickTask,
    own: ['pickedAt', 'waveNumber'],
    ownInLines: ['pickedQuantity'],
    body: { fromLocation: place, waveNumber: 'W-1', lines: [{ item, quantity: 4, pickedQuantity: 3 }] },
    foreign: { isBlind: true },
  },
  {
    entity: entities.Putaway,
    own: ['putAwayAt'],
    ownInLines: ['putAwayQuantity'],
    body: { fromLocation: place, toLocation: place, lines: [{ item, quantity: 4, putAwayQuantity: 4 }] },
    foreign: { waveNumber: 'W-1' },
  },
  {
    entity: entities.CycleCount,
    own: ['countType', 'abcClass', 'frozenAt', 'countedAt', 'countedBy', 'isBlind', 'isRecount'],
    ownInLines: ['countedQuantity', 'expectedQuantity', 'varianceQuantity', 'varianceValue'],
    body: { location: store, countType: 'spot', lines: [{ item, countedQuantity: 4 }] },
    foreign: { pickedAt: '2026-11-21T07:10:00Z' },
  },
  {
    entity: entities.InventoryAdjustment,
    own: ['reasonCode', 'businessUnit', 'project', 'taxonomies'],
    ownInLines: [],
    body: { location: store, reasonCode: { _displayValue: 'Damaged in storage' }, lines: [{ item, quantity: -1 }] },
    foreign: { countType: 'spot' },
  },
  {
    entity: entities.InventoryTransfer,
    own: ['shippedAt', 'receivedAt', 'transitLocation', 'shipmentOrder', 'shippingMethod', 'shippingAddress'],
    ownInLines: ['shippedQuantity', 'receivedQuantity'],
    body: { fromLocation: place, toLocation: store, shippingMethod: 'Shuttle', lines: [{ item, quantity: 4 }] },
    foreign: { putAwayAt: '2026-11-21T07:10:00Z' },
  },
] as const;

const namesIn = (objects: readonly object[]) => [...new Set(objects.flatMap((object) => Object.keys(object)))].sort();
const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

describe.each(views)('$entity.collection', ({ entity, own, ownInLines, body, foreign }) => {
  const { collection, fields } = entity;
  const path = `/${collection}`;
  const names = fields.map(({ name }) => name).sort();
  const lineNames = (entity.field.lines?.fields ?? []).map(({ name }) => name).sort();
  const [foreignName = ''] = Object.keys(foreign);

  test('returns the fields of its document type, none of the others, and a value of each', async () => {
    const records = await company.all<Answer['data']>(path);
    expect(namesIn(records)).toEqual(names);
    expect(names).toEqual(expect.arrayContaining([...own]));
    const lines = records.flatMap((record) => record.lines);
    expect(namesIn(lines)).toEqual(lineNames);
    expect(lineNames).toEqual(expect.arrayContaining([...ownInLines]));
    const empty = names.filter((name) => !records.some((record) => isFilled(record[name])));
    expect(empty.filter((name) => name !== '_deletedAt')).toEqual([]);
    expect(lineNames.filter((name) => !lines.some((line) => isFilled(line[name])))).toEqual([]);
  });

  test('has fields that no other of these views has', () => {
    const others = views.filter((other) => other.entity.name !== entity.name);
    const elsewhere = others.flatMap((other) => other.entity.fields.map(({ name }) => name));
    expect(names.filter((name) => !elsewhere.includes(name))).toEqual([...own].sort());
  });

  test('returns a record like its list does, when it is created, replaced and read', async () => {
    const created = await write('POST', path, body);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { id } = created.body.data;
    const replaced = await write('PUT', `${path}/${id}`, { ...body, notes: 'Counted again' });
    expect([replaced.status, replaced.body.data.notes]).toEqual([200, 'Counted again']);
    const { body: read } = await company.send<Answer>(`${path}/${id}`);
    for (const record of [created.body.data, replaced.body.data, read.data]) {
      expect(Object.keys(record).sort()).toEqual(names);
      expect(namesIn(record.lines)).toEqual(lineNames);
    }
    expect(read.data).toEqual(replaced.body.data);
    const { body: stored } = await company.send<Answer>(`/inventory-documents/${id}`);
    expect(stored.data).toMatchObject(omit(read.data, 'lines'));
    expect(stored.data).toHaveProperty(foreignName);
  });

  test('selects fields, and shapes the lines that it selects', async () => {
    const { body: page } = await company.send<{ data: Answer['data'][] }>(`${path}?fields=lines&per_page=5`);
    expect(page.data).toHaveLength(5);
    expect(namesIn(page.data.flatMap(({ lines }) => lines))).toEqual(lineNames);
    expect(namesIn(page.data)).not.toContain('notes');
  });

  test('refuses fields of other documents in requests', async () => {
    const refused = await write('POST', path, { ...body, ...foreign });
    expect(refused).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID_BODY' } });
    for (const query of [`filter[${foreignName}]=x`, `sort=${foreignName}`, `fields=${foreignName}`]) {
      const { status, body: answer } = await company.send<Answer>(`${path}?${query}`);
      expect([query, status, answer.code]).toEqual([query, 400, expect.stringMatching(/^SERVICE_INVALID_/)]);
    }
  });
});

describe('POST /inventory-documents', () => {
  const count = { documentType: 'count', location: store, lines: [{ item, countedQuantity: 2 }] };

  test.each([
    ['waveNumber', { waveNumber: 'W-1' }],
    ['pickedAt', { pickedAt: '2026-11-21T07:10:00Z' }],
    ['lines/1/pickedQuantity', { lines: [count.lines[0], { item, countedQuantity: 2, pickedQuantity: 3 }] }],
  ])('refuses a field of another document type: %s', async (path, foreign) => {
    const { status, body } = await write('POST', '/inventory-documents', { ...count, ...foreign });
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    const message =
      'Records with documentType "count" do not have this field. Leave it out; they have the fields of /cycle-counts.';
    expect(body.details).toEqual([{ path: `body/${path}`, message }]);
  });

  test('accepts the fields of its document type, and others without a value', async () => {
    const { status } = await write('POST', '/inventory-documents', { ...count, waveNumber: null, taxonomies: [] });
    expect(status).toBe(201);
  });
});

function omit(object: Doc, name: string): Doc {
  const { [name]: _, ...others } = object;
  return others;
}
