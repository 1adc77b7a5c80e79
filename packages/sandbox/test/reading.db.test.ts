import {
  AVAILABLE_ACTIONS,
  type Entity,
  entities,
  entityOf,
  type Field,
  type MappedRecord,
  type Reference,
} from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSandbox } from '../src/index.ts';
import { fullCompany } from './company-database.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox(fullCompany);
});
afterAll(() => sandbox.stop());

const isText = (value: unknown) => typeof value === 'string';
const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'entity' in value && 'by' in value && 'value' in value;
const fits: Readonly<Record<Field['kind'], (value: unknown, field: Field) => boolean>> = {
  text: isText,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value)),
  datetime: (value) =>
    isText(value) && /^\d{4}-\d\d-\d\dT.*Z$/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  enum: (value, { values }) => values?.includes(String(value)) ?? false,
  relation: () => false,
  relations: () => false,
  texts: (value) => Array.isArray(value) && value.every(isText),
  objects: (value, { fields = [] }) => Array.isArray(value) && value.every((each) => fitsObject(each, fields)),
  custom: (value) => Object.values(value as object).every((held) => typeof held !== 'object' || held === null),
  object: (value, { fields = [] }) => !Array.isArray(value) && fitsObject(value, fields),
};

/** Whether an object within a record has only properties of the document, with relations as references. */
function fitsObject(value: unknown, fields: readonly Field[]): boolean {
  return Object.entries(value as object).every(([name, held]) => {
    const field = fields.find((each) => each.name === name);
    if (!field) return false;
    if (held === null) return field.nullable;
    if (field.kind === 'relation') return isReference(held);
    return field.kind === 'relations' ? Array.isArray(held) && held.every(isReference) : fits[field.kind](held, field);
  });
}

/** The references in the objects within a record. */
function referencesWithin({ values }: MappedRecord): Reference[] {
  const objects = Object.values(values)
    .flat()
    .filter((value) => typeof value === 'object' && value !== null);
  return objects.flatMap((object) => Object.values(object as object).flat()).filter(isReference);
}

/** Values that the document does not allow, as "field: value"; empty if the record is valid. */
function misfits(entity: Entity, { values, references }: MappedRecord): string[] {
  return entity.fields.flatMap((field) => {
    const { name, kind, required, nullable } = field;
    if (name === AVAILABLE_ACTIONS) return [];
    if (name === 'id' || name === '_source' || name === '_idValue' || name === '_deletedAt' || name === '_implements')
      return [];
    const value = Object.hasOwn(references, name) ? references[name] : values[name];
    if (value === undefined) return required ? [`${name}: missing`] : [];
    if (value === null) return nullable ? [] : [`${name}: null`];
    if (kind === 'relation' || kind === 'relations')
      return Object.hasOwn(references, name) ? [] : [`${name}: no reference`];
    return fits[kind](value, field) ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
}

/** Fields of a record without empty texts and lists. */
function filledFields({ values, references }: MappedRecord): string[] {
  const says = (value: unknown) => value !== null && value !== undefined && value !== '' && !isEmptyList(value);
  return Object.entries({ ...values, ...references }).flatMap(([field, value]) => (says(value) ? [field] : []));
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** A view has no records; its members are read instead. */
const stored = Object.values(entities).filter(({ view }) => view === undefined);

describe.each(stored.map(({ name }) => name))('%s', (name) => {
  let records: readonly MappedRecord[] = [];

  beforeAll(async () => {
    records = await sandbox.records(name);
  });
  afterAll(() => {
    records = [];
  });

  test('every row becomes a record that the document allows', () => {
    const entity = entityOf(name) as Entity;
    expect(records.length).toBeGreaterThan(0);
    expect(
      records.flatMap((record) => misfits(entity, record).map((misfit) => `${record._idValue} ${misfit}`)),
    ).toEqual([]);
  });

  test('every field has a value in some record', () => {
    const unused: Readonly<Record<string, readonly string[]>> = {
      Item: ['isbn'], // The company sells no books.
    };
    const filled = new Set(records.flatMap(filledFields));
    expect(sandbox.mapping(name).fields.filter((field) => !filled.has(field))).toEqual(unused[name] ?? []);
  });

  test('every reference leads to one record', async () => {
    const seen = new Map<string, Parameters<Sandbox['resolve']>[0]>();
    for (const record of records) {
      for (const found of [...Object.values(record.references).flat(), ...referencesWithin(record)]) {
        if (found) seen.set(`${found.entity} ${found.by} ${found.value}`, found);
      }
    }
    // Lines are checked with their own mapping; there are too many to look up one by one.
    const wanted = [...seen.values()].filter(
      ({ entity }) => !['PurchaseOrderLine', 'Address', 'WorkOrder', 'PurchaseOrder'].includes(entity),
    );
    for (const reference of wanted.slice(0, 400)) await sandbox.resolve(reference);
  });

  test('every relation within its objects is read', () => {
    for (const field of entityOf(name)?.fields ?? []) {
      const relations = (field.fields ?? []).flatMap((inner) => (inner.targets ? [inner.name] : []));
      const objects = records.flatMap(({ values }) => values[field.name] ?? []);
      const read = new Set(objects.flatMap((object) => Object.keys(object as object)));
      expect(relations.filter((relation) => !read.has(relation))).toEqual([]);
    }
  });

  test('every field of the document is read', () => {
    const entity = entityOf(name) as Entity;
    const ours = ['id', AVAILABLE_ACTIONS, 'customFields'];
    const own = entity.fields.map((field) => field.name).filter((field) => !/^_/.test(field) && !ours.includes(field));
    const expected: Readonly<Record<string, readonly string[]>> = {
      Status: ['parent', 'organization'],
    };
    expect(own.filter((field) => !sandbox.mapping(name).fields.includes(field)).sort()).toEqual(
      [...(expected[name] ?? [])].sort(),
    );
  });
});

describe('changes made without the API', () => {
  const changed = async (entity: string, since: Awaited<ReturnType<Sandbox['driver']['changes']['mark']>>) => {
    const page = await sandbox.driver.changes.pull({ stream: sandbox.stream(entity), since, from: null, limit: 100 });
    return page.rows.map((row) => sandbox.mapping(entity).read(row));
  };
  /** The current time, without the overlap of passes. */
  const now = () => new Date().toISOString();

  test('are read by an incremental pass', async () => {
    const at = { url: sandbox.url, schema: 'erp' };
    const since = now();
    await changeSandbox(at, 'renameVendor', 1_050);
    await changeSandbox(at, 'flagVendorDeleted', 1_060);
    const [renamed, deleted] = await changed('Vendor', since);
    expect(renamed).toMatchObject({
      _idValue: '1050',
      values: { name: expect.stringMatching(/\(renamed\)$/) },
      deletedAt: null,
    });
    expect(deleted).toMatchObject({ _idValue: '1060', deletedAt: expect.stringMatching(/Z$/) });
  });

  test('to an address are visible in its owner', async () => {
    const owners = (await sandbox.records('Address')).map(({ _idValue, references }) => ({
      _idValue,
      owner: references.owner as Reference,
    }));
    const address = owners.find(({ owner }) => owner.entity === 'Vendor') ?? expect.fail('no vendor has an address');
    const since = now();
    await changeSandbox({ url: sandbox.url, schema: 'erp' }, 'deleteAddress', Number(address._idValue));
    expect(await changed('Vendor', since)).toMatchObject([{ _idValue: address.owner.value }]);
    expect(await sandbox.driver.read(sandbox.stream('Address'), address._idValue)).toBeNull();
  });

  test('a work order reported by a terminal gets a number', async () => {
    const since = now();
    await changeSandbox({ url: sandbox.url, schema: 'erp' }, 'reportWorkOrder', 4_711);
    expect(await changed('WorkOrder', since)).toMatchObject([
      {
        values: { code: 'WO-30001', name: 'Reported at the terminal', statusCategory: 'draft' },
        references: { requestedBy: { value: '4711' } },
      },
    ]);
  });
});
