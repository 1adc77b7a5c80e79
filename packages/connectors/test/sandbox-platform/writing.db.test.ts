import { type Entity, entities, entityOf, type Field, type MappedRecord, type Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/driver.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** Entities that the document lets people create. */
const written = [
  'Account',
  'Address',
  'Country',
  'Currency',
  'Customer',
  'Employee',
  'FiscalCalendar',
  'Item',
  'Locality',
  'Location',
  'Site',
  'Unit',
  'Vendor',
  'WorkOrder',
];

/** Values for fields that no row of the company has. */
const invented: Readonly<Record<Field['kind'], unknown>> = {
  text: 'Some text',
  number: 12.5,
  integer: 7,
  boolean: true,
  date: '2026-11-20',
  datetime: '2026-11-20T09:30:00Z',
  enum: null,
  relation: null,
  relations: null,
  texts: ['one', 'two'],
  object: { line1: 'Hafenstr. 4', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
};

const samples = new Map<string, readonly MappedRecord[]>();

/** A request with every field that can be written: values that occur, references looked up. */
async function fullRequest(entity: Entity, code: string): Promise<Row> {
  const records = samples.get(entity.name) ?? (await sandbox.records(entity.name));
  samples.set(entity.name, records);
  const occurs = (name: string) => {
    const of = ({ values, references }: MappedRecord) => references[name] ?? values[name] ?? null;
    return of(records.find((record) => of(record) !== null) ?? ({ values: {}, references: {} } as MappedRecord));
  };
  const request: Row = {};
  for (const { name, kind, writable } of entity.fields) {
    if (!writable) continue;
    const value = occurs(name);
    const isReference = kind === 'relation' && value !== null;
    request[name] = isReference
      ? await sandbox.resolve(value as Reference)
      : kind === 'object'
        ? invented.object
        : (value ?? invented[kind]);
  }
  return { ...request, code };
}

async function create(entity: Entity, request: Row): Promise<string> {
  const { values } = sandbox.mapping(entity.name).write(request, { op: 'create' });
  return (await sandbox.driver.create(sandbox.stream(entity.name), values, sandbox.intent())).key;
}

/** Compares what was sent with what is read, in the terms of the request. */
function expectSent(record: MappedRecord, request: Row, unsupported: readonly string[]): void {
  for (const [name, sent] of Object.entries(request)) {
    if (unsupported.includes(name) || sent === undefined) continue;
    const reference = record.references[name];
    if (Object.hasOwn(record.references, name) && sent === null)
      expect({ [name]: reference }).toEqual({ [name]: null });
    else if (reference) {
      const { by, value, entity } = reference as Reference;
      const target = sent as Record<string, unknown>;
      expect({ [name]: { entity, value } }).toEqual({ [name]: { entity: target.entity, value: target[by] } });
    } else if (typeof sent === 'object' && sent !== null)
      expect({ [name]: record.values[name] }).toMatchObject({ [name]: sent });
    else expect({ [name]: record.values[name] }).toEqual({ [name]: sent });
  }
}

/** Fields that the sandbox has no column for. */
const missing: Readonly<Record<string, readonly string[]>> = { Account: ['accountNumber'] };

describe.each(written)('%s', (name) => {
  const entity = entityOf(name) as Entity;
  const unsupported = missing[name] ?? [];

  test('a create with every field is read back as it was sent', async () => {
    const request = await fullRequest(entity, `T-${name}`);
    expect(sandbox.mapping(name).write(request, { op: 'create' }).unsupported).toEqual(unsupported);
    expectSent(await sandbox.record(name, await create(entity, request)), request, unsupported);
  });

  test('a create with the least gets its code and times from the system', async () => {
    const full = await fullRequest(entity, 'x');
    const least = Object.fromEntries(
      ['name', ...entity.requiredOnCreate].filter((field) => entity.field[field]).map((field) => [field, full[field]]),
    );
    const { values } = await sandbox.record(name, await create(entity, least));
    expect(values.code).toMatch(/^[A-Z]+-\d+$/);
    expect(values).toMatchObject({ _createdAt: expect.stringMatching(/Z$/), _updatedAt: expect.stringMatching(/Z$/) });
  });

  test('an update sets what is sent, clears what is null, leaves the rest', async () => {
    const request = await fullRequest(entity, `U-${name}`);
    const key = await create(entity, request);
    const clearable = entity.fields
      .filter(({ writable, nullable, name: field }) => writable && nullable && field !== 'isoCode')
      .map((field) => field.name);
    const patch: Row = Object.fromEntries(
      clearable.filter((_, index) => index % 2 === 0).map((field) => [field, null]),
    );
    const stays = Object.fromEntries(Object.entries(request).filter(([field]) => !Object.hasOwn(patch, field)));
    const { values } = sandbox.mapping(name).write(patch, { op: 'update' });
    await sandbox.driver.update(sandbox.stream(name), key, values, sandbox.intent());
    const record = await sandbox.record(name, key);
    const derived = name === 'WorkOrder' ? ['priority', 'currency', 'isAssetDown', 'requiresSignature'] : [];
    expectSent(record, stays, [...unsupported, ...derived]);
    expectSent(record, patch, [...unsupported, ...derived]);
  });

  test('a replacement clears what it does not name', async () => {
    const request = await fullRequest(entity, `R-${name}`);
    const key = await create(entity, request);
    const least: Row = {
      name: 'Replaced',
      ...Object.fromEntries(entity.requiredOnCreate.map((field) => [field, request[field]])),
    };
    if (!entity.field.name) delete least.name;
    const { values } = sandbox.mapping(name).write(least, { op: 'replace' });
    await sandbox.driver.update(sandbox.stream(name), key, values, sandbox.intent());
    const record = await sandbox.record(name, key);
    expectSent(record, least, unsupported);
    expect(record.values.code).toBe(`R-${name}`);
    expect(record.values.description).toBeNull();
  });
});

test('what the document lets people create can be created in the sandbox', () => {
  const able = Object.keys(entities).filter((name) => sandbox.mapping(name).writes.has('create'));
  expect(able.sort()).toEqual([...written, 'PurchaseOrder'].sort());
});

describe('the system refuses in its own words', () => {
  test.each([
    ['Country', { code: 'DE', name: 'Another Germany' }, /land_lkz/],
    ['FiscalCalendar', { name: 'Odd', yearPeriods: 99 }, /GJ-003: a fiscal year has 1 to 53 periods/],
    [
      'WorkOrder',
      { name: 'Odd', scheduledStartAt: '2026-11-20T10:00:00Z', scheduledEndAt: '2026-11-20T09:00:00Z' },
      /AU-008: the planned end/,
    ],
  ])('a %s', async (name, request, words) => {
    const answer = create(entityOf(name) as Entity, request);
    await expect(answer).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(words) });
  });
});
