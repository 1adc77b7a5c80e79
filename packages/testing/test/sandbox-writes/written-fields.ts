import type { CompiledMapping, Stream } from '@unified/connectors';
import { clearedInput, type Entity, entityOf, type Field } from '@unified/contract';
import { expect } from 'vitest';
import { day } from '../../../sandbox/test/day.ts';
import type { Company } from '../served-company.ts';
import type { Effect, Recipe, Row } from '../write-recipe.ts';
import type { CompanyRecords } from './company-records.ts';
import { rowsOf } from './company-rows.ts';
import { storedRow } from './stored-row.ts';

/** The mapping of an entity that is written, with the table that contains its rows. */
export interface WrittenEntity {
  readonly entity: Entity;
  readonly mapping: CompiledMapping;
  readonly stream: Stream;
}

/** Values of plain fields that no row of the company has. */
const invented: Readonly<Partial<Record<Field['kind'], unknown>>> = {
  text: 'Some text',
  number: 12.5,
  integer: 7,
  boolean: true,
  date: day(0),
  datetime: `${day(0)}T09:30:00Z`,
  texts: ['one', 'two'],
};

/** What the company does not do with the values of an entity as with those of others. */
interface Exceptions {
  /** A field besides `code` whose value no other record may have. */
  readonly unique?: string;
  /** Fields that replacements must repeat, or all except these. */
  readonly repeated?: readonly string[] | { readonly except: readonly string[] };
  /** Columns that it fills in when they are cleared. */
  readonly refilled?: readonly string[];
  /** Fields that a write clears, or that the system has no column for: the service warns of them. */
  readonly warned?: Readonly<Partial<Record<'update' | 'replace', readonly string[]>>>;
}

/** Only how an open item is paid can be changed; its document is posted. */
const postedItem: Exceptions = {
  unique: 'documentNumber',
  repeated: { except: ['documentNumber', 'reference', 'notes'] },
  refilled: ['belegnr'],
  warned: { replace: ['documentNumber'] },
};

/** A document gets a currency if it has none. */
const withCurrency: Exceptions = { refilled: ['waehr'], warned: { update: ['currency'], replace: ['currency'] } };

const EXCEPTIONS: Readonly<Record<string, Exceptions>> = {
  Account: { warned: { replace: ['accountNumber'] } },
  Contract: withCurrency,
  CreditNote: { repeated: ['customer'] },
  Invoice: {
    repeated: ['customer'],
    refilled: ['fremdnr', 'faelldat', 'waehr'],
    warned: { update: ['dueDate'], replace: ['invoiceNumber', 'currency'] },
  },
  JournalEntry: { refilled: ['kurs'], warned: { replace: ['exchangeRate'] } },
  Payable: postedItem,
  Payment: { repeated: ['customer'], refilled: ['pernr'], warned: { replace: ['accountingPeriod'] } },
  PurchaseOrder: withCurrency,
  PurchaseRequisition: withCurrency,
  Quote: { repeated: ['customer', 'direction'] },
  Receipt: withCurrency,
  Receivable: postedItem,
  ReturnOrder: { repeated: ['customer'] },
  Rfq: withCurrency,
  SalesOrder: withCurrency,
  WorkOrder: {
    refilled: ['prio_text', 'waehr', 'kz_stillstand', 'kz_unterschrift'],
    warned: { update: ['priority', 'currency'], replace: ['currency'] },
  },
};

/** The company, by SQL and as the service lists it. */
export interface Source {
  readonly company: Company;
  readonly records: CompanyRecords;
  /** A code that no record has. */
  readonly nextCode: (entity: Entity) => string;
}

/** Values of the requests of an entity. */
export interface Given {
  /** Those of fields whose values in other records would not be allowed. */
  readonly values: Row;
  /** Those of other creates, which these values exclude. */
  readonly others: readonly Row[];
}

/** Creates, updates, replaces and deletes of an entity, with all of its writable fields. */
export async function writesOf(written: WrittenEntity, { values, others }: Given, source: Source): Promise<Recipe> {
  const { entity, mapping, stream } = written;
  const { whole, stored } = await wholeRequest(written, values, source.records);
  await source.records.learn(others);
  const { unique } = EXCEPTIONS[entity.name] ?? {};
  const createWith = (other: Row): Effect => {
    const code = source.nextCode(entity);
    const body = {
      ...whole,
      ...other,
      ...(mapping.writable.includes('code') && { code }),
      ...(unique && { [unique]: code }),
    };
    return { body, found: provenBy(entity, body, stored) };
  };
  const patch = everySecond(clearable(entity, mapping));
  const least = leastRequest(entity, whole);
  return {
    ...rowsOf(source.company, stream),
    create: () => createWith({}),
    variants: others.map((other) => () => createWith(other)),
    update: () =>
      changeOf(entity, 'update', { body: patch, stored, before: stored(whole), after: stored({ ...whole, ...patch }) }),
    replace: () =>
      changeOf(entity, 'replace', {
        ...{ body: least, stored },
        ...{ before: stored(whole), after: stored(clearedInput(entity, least)) },
      }),
    delete: () => ({ found: null }),
  };
}

/** An update of a row that the company has, with all writable fields of an entity that clients do not create. */
export async function updateOf(written: WrittenEntity, key: string, source: Source): Promise<Recipe> {
  const rows = rowsOf(source.company, written.stream);
  const before = (await rows.find(key)) ?? {};
  const { whole, stored } = await wholeRequest(written, {}, source.records);
  const body = { ...whole, code: source.nextCode(written.entity) };
  const update = () => changeOf(written.entity, 'update', { body, stored, before, after: stored(body) });
  return { ...rows, update, existing: { update: key } };
}

type Stored = (body: Row) => Row;

/** The columns that show the fields of a request. Fails if a field that is sent has none, unless the service warns of it. */
function provenBy({ name }: Entity, body: Row, stored: Stored, warned: readonly string[] = []): Row {
  const unproven = Object.entries(body).filter(
    ([field, value]) => Object.keys(stored({ [field]: value })).length === 0,
  );
  const unexpected = unproven.map(([field]) => field).filter((field) => !warned.includes(field));
  if (unexpected.length > 0) expect.fail(`No column shows ${unexpected.join(', ')} of ${name}.`);
  return stored(body);
}

interface Change extends Readonly<Record<'body' | 'before' | 'after', Row>> {
  readonly stored: Stored;
}

/** The effect of a request: columns that it changes, of which there must be some, and those that it leaves as they were. */
function changeOf(entity: Entity, op: 'update' | 'replace', { body, before, after, stored }: Change): Effect {
  const { name } = entity;
  const { refilled = [], warned = {} } = EXCEPTIONS[name] ?? {};
  provenBy(entity, body, stored, warned[op]);
  const columns = Object.entries(after).filter(([column]) => !refilled.includes(column));
  const [kept = {}, found = {}] = [true, false].map((same) =>
    Object.fromEntries(columns.filter(([column, value]) => isSame(before[column], value) === same)),
  );
  if (Object.keys(found).length === 0) expect.fail(`The ${op} of ${name} changes no column.`);
  return { body, found, kept, warned: warned[op] ?? [] };
}

/**
 * A request with every field that the mapping writes: given values, values that occur, or invented ones. `stored` returns the
 * columns of requests that refer to the same records.
 */
async function wholeRequest({ entity, mapping }: WrittenEntity, given: Row, records: CompanyRecords) {
  const { writable, customFields, definition } = mapping;
  const samples = await records.samples(entity);
  const request: Record<string, unknown> = {};
  for (const { name, kind } of entity.fields.filter((field) => field.writable && writable.includes(field.name))) {
    if (name !== 'code') request[name] = name in given ? given[name] : (samples[name] ?? invented[kind] ?? null);
  }
  const custom = Object.entries(samples.customFields ?? {}).filter(([name]) => customFields.canWrite(name));
  if (custom.length > 0) request.customFields = Object.fromEntries(custom);
  else delete request.customFields;
  await records.learn(request);
  const stored = (body: Row) => storedRow(definition.fields, body, records.codes);
  return { whole: request as Row, stored };
}

/** What the document and the company require, with another name. */
function leastRequest({ name, field, requiredOnCreate }: Entity, whole: Row): Row {
  const { repeated = [] } = EXCEPTIONS[name] ?? {};
  const isRepeated = (each: string) =>
    'except' in repeated ? !repeated.except.includes(each) : [...requiredOnCreate, ...repeated].includes(each);
  const required = Object.entries(whole).filter(([each]) => isRepeated(each));
  return { ...Object.fromEntries(required), ...(field.name?.writable && { name: 'Replaced' }) };
}

/** The fields of a mapping that a request can clear, with the values that clear them. */
function clearable(entity: Entity, { writable }: CompiledMapping): [string, unknown][] {
  const cleared = Object.entries(clearedInput(entity, {})).filter(([, value]) => value !== '');
  return cleared.filter(([name]) => writable.includes(name) && !entity.requiredOnCreate.includes(name));
}

function everySecond(entries: readonly [string, unknown][]): Row {
  return Object.fromEntries(entries.filter((_, index) => index % 2 === 0));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** The written entities of a platform, by name. */
export function writtenEntity(mapping: CompiledMapping, streams: readonly Stream[]): WrittenEntity {
  const entity = entityOf(mapping.entity);
  const stream = streams.find(({ name }) => name === mapping.stream);
  if (!entity || !stream) throw new Error(`The mapping of ${mapping.entity} has no entity or no stream.`);
  return { entity, mapping, stream };
}
