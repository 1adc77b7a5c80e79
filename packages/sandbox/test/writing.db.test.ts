import type { ResolvedReference, Row } from '@unified/connectors';
import { platformOf } from '@unified/connectors';
import {
  type Entity,
  entities,
  entityOf,
  type Field,
  type MappedRecord,
  operations,
  type Reference,
} from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { replace } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const { mappings } = platformOf('sandbox');

/** Entities that can be created in the sandbox. Entities that need lines, or post a document, have separate tests. */
const created = Object.values(entities).filter(({ name }) => mappings[name]?.writes.has('create'));
const posted = ['Payable', 'Receivable'];
const written = created.filter(
  ({ name, field, requiredOnCreate }) =>
    !posted.includes(name) && !requiredOnCreate.some((each) => field[each]?.kind === 'relations'),
);

/** Values for plain fields that no row of the company has. */
const invented: Readonly<Partial<Record<Field['kind'], unknown>>> = {
  text: 'Some text',
  number: 12.5,
  integer: 7,
  boolean: true,
  date: day(0),
  datetime: `${day(0)}T09:30:00Z`,
  texts: ['one', 'two'],
};

/** Fields without a generated value: a row of the company must have one. */
const sampled = ['object', 'objects'];

const samples = new Map<string, readonly MappedRecord[]>();

/** A value of the field that occurs in the company; null if no row has one. */
async function sampleOf(entity: Entity, name: string): Promise<unknown> {
  const records = samples.get(entity.name) ?? (await sandbox.records(entity.name));
  samples.set(entity.name, records);
  const values = records.map((record) => record.references[name] ?? record.values[name] ?? null);
  const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  return values.find(isFilled) ?? null;
}

/** A request with every writable field: values that occur, references looked up. */
async function fullRequest(entity: Entity, code: string): Promise<Row> {
  const request: Row = {};
  for (const { name, kind, writable } of entity.fields) {
    if (!writable) continue;
    const value = await sampleOf(entity, name);
    if (kind === 'custom') {
      const { canWrite, writable: names } = sandbox.mapping(entity.name).customFields;
      if (names.length > 0) request[name] = onlyNames(value, canWrite);
      continue;
    }
    if (kind === 'relation') request[name] = value === null ? null : await sandbox.resolve(value as Reference);
    else if (kind === 'relations') request[name] = await resolveAll(value);
    else if (value !== null && sampled.includes(kind)) request[name] = await resolveWithin(value);
    else request[name] = value ?? invented[kind] ?? null;
    if (request[name] === null && sampled.includes(kind) && sandbox.mapping(entity.name).writable.includes(name))
      expect.fail(`No row of the sandbox company has ${name} of ${entity.name}; give one to a row.`);
  }
  const settles = Array.isArray(request.allocations) ? await onOpenInvoice(request.allocations) : {};
  return { ...request, ...settles, code };
}

/**
 * An allocation of a cent to an open invoice, with the customer and the currency of that invoice: the allocations in the company
 * refer to paid invoices.
 */
async function onOpenInvoice([allocation]: readonly Row[]): Promise<Row> {
  const open = (await sandbox.records('Invoice')).find(
    ({ values }) =>
      values.statusCategory === 'sent' &&
      values.invoiceType === 'accounts_receivable' &&
      values.documentType === 'invoice' &&
      Number(values.balance) > 1,
  );
  const target = await sandbox.resolve({ entity: 'Invoice', by: '_idValue', value: open?._idValue ?? '' });
  const of = async (name: string) => sandbox.resolve(open?.references[name] as Reference);
  const allocations = [{ ...allocation, target, amount: 0.01 }];
  return { allocations, customer: await of('customer'), currency: await of('currency') };
}

function onlyNames(value: unknown, isWanted: (name: string) => boolean): Row {
  return Object.fromEntries(Object.entries(value as Row).filter(([name]) => isWanted(name)));
}

async function resolveAll(references: unknown): Promise<unknown> {
  if (!Array.isArray(references)) return [];
  return Promise.all(references.map((reference: Reference) => sandbox.resolve(reference)));
}

/** Objects with their references looked up. */
async function resolveWithin(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(resolveWithin));
  if (typeof value !== 'object' || value === null) return value;
  if ('entity' in value && 'by' in value) return sandbox.resolve(value as Reference);
  const resolved = Object.entries(value).map(async ([name, held]) => [name, await resolveWithin(held)]);
  return Object.fromEntries(await Promise.all(resolved));
}

async function create(entity: Entity, request: Row): Promise<string> {
  const { values } = sandbox.mapping(entity.name).write(request, { op: 'create' });
  return (await sandbox.driver.writes.create(sandbox.stream(entity.name), values, sandbox.intent())).key;
}

/** Fields that a request can clear, with their values afterwards. */
function clearableIn({ fields, requiredOnCreate }: Entity): Row {
  const own = fields.filter(({ name, writable }) => writable && !requiredOnCreate.includes(name));
  return Object.fromEntries([
    ...own.filter(({ nullable }) => nullable).map(({ name }) => [name, null]),
    ...own.filter(({ kind }) => ['relations', 'texts', 'objects'].includes(kind)).map(({ name }) => [name, []]),
  ]);
}

/** Compares a request with the record that is read, in the format of the request. */
async function expectSent(record: MappedRecord, request: Row, unsupported: readonly string[]): Promise<void> {
  for (const [name, sent] of Object.entries(request)) {
    if (unsupported.includes(name) || sent === undefined) continue;
    if (Object.hasOwn(record.references, name)) {
      const found = [record.references[name] ?? []].flat();
      const targets = [(sent ?? []) as ResolvedReference | ResolvedReference[]].flat();
      const wanted = targets.map((target, index) => [target.entity, target[found[index]?.by ?? '_idValue']]);
      expect({ [name]: found.map(({ entity, value }) => [entity, value]) }).toEqual({ [name]: wanted });
    } else if (typeof sent === 'object' && sent !== null)
      expect({ [name]: await resolveWithin(record.values[name]) }).toMatchObject({ [name]: sent });
    else expect({ [name]: record.values[name] }).toEqual({ [name]: sent });
  }
}

/** Fields that the sandbox has no column for. */
const missing: Readonly<Record<string, readonly string[]>> = { Account: ['accountNumber'] };
/** Fields that the sandbox fills in when they are cleared. */
const filled: Readonly<Record<string, readonly string[]>> = {
  Contract: ['currency'],
  JournalEntry: ['exchangeRate'],
  Payment: ['accountingPeriod'],
  WorkOrder: ['priority', 'currency', 'isAssetDown', 'requiresSignature'],
};

describe.each(written)('$name', (entity) => {
  const { name } = entity;
  const unsupported = missing[name] ?? [];

  test('a create with every field is read back as it was sent', async () => {
    const request = await fullRequest(entity, `T-${name}`);
    expect(sandbox.mapping(name).write(request, { op: 'create' }).unsupported).toEqual(unsupported);
    await expectSent(await sandbox.record(name, await create(entity, request)), request, unsupported);
  });

  test('a create with only the required fields gets its code and times from the system', async () => {
    const full = await fullRequest(entity, 'x');
    const least = Object.fromEntries(
      ['name', ...entity.requiredOnCreate].filter((field) => entity.field[field]).map((field) => [field, full[field]]),
    );
    const { values } = await sandbox.record(name, await create(entity, least));
    expect(values.code).toMatch(/^[A-Z]+-\d+$/);
    expect(values).toMatchObject({ _createdAt: expect.stringMatching(/Z$/), _updatedAt: expect.stringMatching(/Z$/) });
  });

  test('an update sets what is sent, clears what is null, and leaves the rest unchanged', async () => {
    const request = await fullRequest(entity, `U-${name}`);
    const key = await create(entity, request);
    const patch: Row = Object.fromEntries(Object.entries(clearableIn(entity)).filter((_, index) => index % 2 === 0));
    const stays = Object.fromEntries(Object.entries(request).filter(([field]) => !Object.hasOwn(patch, field)));
    const { values } = sandbox.mapping(name).write(patch, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream(name), key, values, sandbox.intent());
    const record = await sandbox.record(name, key);
    const derived = filled[name] ?? [];
    await expectSent(record, stays, [...unsupported, ...derived]);
    await expectSent(record, patch, [...unsupported, ...derived]);
  });

  test('a replacement clears fields that it does not contain', async () => {
    const request = await fullRequest(entity, `R-${name}`);
    const key = await create(entity, request);
    const least: Row = {
      name: 'Replaced',
      ...Object.fromEntries(entity.requiredOnCreate.map((field) => [field, request[field]])),
    };
    if (!entity.field.name) delete least.name;
    const record = await replace(name, key, least);
    await expectSent(record, { ...clearableIn(entity), ...least }, [...unsupported, ...(filled[name] ?? [])]);
    expect(record.values.code).toBe(`R-${name}`);
  });
});

test('all entities that the document allows clients to create can be created in the sandbox', () => {
  const asked = operations.flatMap(({ kind, entity = '' }) => (kind === 'create' ? [entity] : []));
  const stored = new Set(asked.filter((name) => entityOf(name)?.view === undefined));
  expect(created.map(({ name }) => name).sort()).toEqual([...stored].sort());
});

describe('the system refuses with the messages of its triggers and checks, without names of constraints', () => {
  test.each([
    ['Country', 'duplicate', { code: 'DE', name: 'Another Germany' }, /has a record with the same value/],
    ['Contact', 'rejected', { name: 'Odd', dateOfBirth: '2999-01-01' }, /KO-011: the date of birth of Odd/],
    ['FiscalCalendar', 'rejected', { name: 'Odd', yearPeriods: 99 }, /^GJ-003: a fiscal year has 1 to 53 periods$/],
    [
      'WorkOrder',
      'rejected',
      { name: 'Odd', scheduledStartAt: `${day(0)}T10:00:00Z`, scheduledEndAt: `${day(0)}T09:00:00Z` },
      /^AU-008: the planned end is before the planned start$/,
    ],
  ])('a %s: %s', async (name, kind, request, words) => {
    const answer = create(entityOf(name) as Entity, request);
    await expect(answer).rejects.toMatchObject({ kind, words: expect.stringMatching(words) });
  });
});
