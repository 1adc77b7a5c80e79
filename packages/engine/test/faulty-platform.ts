import {
  type CompiledAction,
  type CompiledMapping,
  compileMapping,
  type FieldDefinitions,
  noCustomFields,
  openDriver,
  type Platform,
  platformOf,
  type RawRow,
  type Row,
  type Stream,
} from '@unified/connectors';
import { entities, entityOf, type MappedRecord, type Reference } from '@unified/contract';
import type { Systems } from '../src/model/systems.ts';
import { openFaultyDriver } from './faulty-driver.ts';

/** The only table of the faulty system; its rows are of several kinds. */
export const stream: Stream = {
  name: 'rows',
  key: ['id'],
  order: 1,
  cursor: 'changed',
  deletes: 'diff',
  // Connections move to a system without rows.
  deleteLimit: null,
  pageSize: 100,
  options: {},
};

type Kind = 'vendor' | 'partner' | 'currency' | 'reason' | 'order' | 'purchase';

function mapping(
  entity: string,
  kind: Kind,
  plain: readonly string[],
  actions: Record<string, CompiledAction> = {},
): CompiledMapping {
  const fields = [...plain, 'currency'];
  const paths = fields.map((field) => ({ field, path: field }));
  const where = { path: 'kind', equals: kind };
  const definition = { entity, stream: stream.name, where, fields: definedFields(entity, plain) };
  const contract = entityOf(entity);
  return {
    entity,
    stream: stream.name,
    definition,
    parts: compileMapping(definition, { file: entity, ...(contract && { entity: contract }) }).parts,
    fields,
    writable: fields,
    paths,
    written: paths,
    allowedValues: {},
    customFields: noCustomFields,
    references: [],
    touches: [],
    writes: new Set(['create', 'update', 'replace', 'delete']),
    actions,
    hash: '1',
    read: (row) => (row.row.kind === kind ? read(row, plain) : null),
    write: (input, { op }) => write(input, op === 'create' ? { kind } : {}, fields),
  };
}

/** The same written as words, for revisions; only fields that the entity has. */
function definedFields(name: string, plain: readonly string[]): FieldDefinitions {
  const words: FieldDefinitions = {
    ...Object.fromEntries(plain.map((field) => [field, field])),
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'currency' } },
  };
  return Object.fromEntries(Object.entries(words).filter(([field]) => entityOf(name)?.field[field]));
}

function read({ key, row }: RawRow, plain: readonly string[]): MappedRecord {
  const currency: Reference | null =
    typeof row.currency === 'string' ? { entity: 'Currency', by: '_idValue', value: row.currency } : null;
  const values = Object.fromEntries(plain.map((field) => [field, row[field] ?? null]));
  const moment = new Date(Number(row.changed)).toISOString();
  return {
    _source: stream.name,
    _idValue: key,
    values: {
      ...values,
      code: row.code ?? key,
      _displayValue: String(row.name ?? key),
      _createdAt: moment,
      _updatedAt: moment,
      ...(row.state !== undefined && { statusCategory: categories[String(row.state)] ?? 'open' }),
    },
    references: { currency },
  };
}

const categories: Readonly<Record<string, string>> = { start: 'in_progress', complete: 'completed' };

/** A value that the mapping does not support, such as one that a `lookup` does not list. */
export const UNTRANSLATED = 'not in the table';

function write(input: Row, always: Row, fields: readonly string[]) {
  const values: Row = { ...always };
  const unsupported: string[] = [];
  for (const [field, value] of Object.entries(input)) {
    if (!fields.includes(field) || value === UNTRANSLATED) unsupported.push(field);
    else values[field] = field === 'currency' ? currencyKey(value) : value;
  }
  return { values, unsupported };
}

function currencyKey(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '_idValue' in value ? value._idValue : null;
}

const act = (name: string, ...touches: string[]): CompiledAction => ({
  acts: [name],
  inputs: ['note'],
  written: [],
  touches,
  write: ({ note }) => ({ act: name, values: { note }, unsupported: [] }),
});

/** Clients can only replace its records. Its notes are written, but not read. */
const partner: CompiledMapping = {
  ...mapping('Partner', 'partner', ['name', 'isActive']),
  writable: ['name', 'isActive', 'notes'],
  writes: new Set(['create', 'replace']),
  write: (input, { op }) => write(input, op === 'create' ? { kind: 'partner' } : {}, ['name', 'isActive', 'notes']),
};

/** Its lines are in the row, and name their currency by code. */
const entry = compileMapping(
  {
    entity: 'JournalEntry',
    stream: stream.name,
    where: { path: 'kind', equals: 'entry' },
    writes: ['create', 'update', 'replace'],
    onCreate: { kind: { const: 'entry' } },
    fields: {
      memo: 'name',
      transactionDate: { date: 'day' },
      currency: { ref: { entity: 'Currency', by: 'code', value: 'currency' } },
      lines: {
        list: {
          from: 'lines',
          fields: { debit: 'amount', currency: { ref: { entity: 'Currency', by: 'code', value: 'currency' } } },
        },
      },
    },
  },
  { file: 'entry', entity: entities.JournalEntry },
);

export const platform: Platform = {
  id: 'faulty',
  name: 'Faulty',
  description: 'A small system that misbehaves on request.',
  driver: 'faulty',
  settings: {},
  secrets: [],
  streams: [stream],
  mappings: {
    Vendor: mapping('Vendor', 'vendor', ['name', 'code', 'terms', 'notes', 'rating', 'isActive']),
    Partner: partner,
    Currency: mapping('Currency', 'currency', ['name', 'code', 'isoCode']),
    Taxonomy: mapping('Taxonomy', 'reason', ['name', 'code']),
    WorkOrder: mapping('WorkOrder', 'order', ['name', 'code', 'notes'], {
      start: act('start'),
      complete: act('complete'),
      assign: act('assign', 'Vendor'),
    }),
    PurchaseOrder: mapping('PurchaseOrder', 'purchase', ['name', 'code'], { cancel: act('cancel') }),
    JournalEntry: entry,
  },
  options: {},
  broken: [],
};

/** The faulty platform in addition to the existing ones. */
export const faultySystems: Systems = {
  platformOf: (id) => (id === platform.id ? platform : platformOf(id)),
  openDriver: (given, settings, ...rest) =>
    given.id === platform.id
      ? openFaultyDriver(
          String(settings.url),
          settings.timeoutMs === undefined ? undefined : Number(settings.timeoutMs),
        )
      : openDriver(given, settings, ...rest),
};
