import { type Action, clearedInput, type Entity, entities, type Field, type FieldKind } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import type { FieldDefinitions, WordDefinition } from './definition.ts';

const file = 'thing.yaml';

describe('a record', () => {
  const mapping = compileMapping(
    {
      entity: 'Thing',
      stream: 'things',
      where: [
        { path: 'KIND', in: ['A', 'B'] },
        { path: 'GONE', present: false },
      ],
      deleted: { datetime: 'DEL' },
      created: { datetime: 'CRE' },
      fields: { code: { text: 'NR' }, name: 'NAME', owner: { ref: { entity: 'Owner', by: 'code', value: 'OWN' } } },
    },
    { file },
  );

  test('has source, key, values, references and deletion', () => {
    expect(
      mapping.read({
        key: 'k',
        row: { KIND: 'A', NR: 1, NAME: 'One', OWN: 'o', CRE: '2026-01-01', DEL: '2026-02-01' },
      }),
    ).toEqual({
      _source: 'things',
      _idValue: 'k',
      values: { code: '1', name: 'One', _displayValue: 'One', _createdAt: '2026-01-01T00:00:00.000Z' },
      references: { owner: { entity: 'Owner', by: 'code', value: 'o' } },
      deletedAt: '2026-02-01T00:00:00.000Z',
    });
  });

  test('falls back to the key for code and label', () => {
    const record = mapping.read({ key: 'k', row: { KIND: 'B' } });
    expect(record?.values).toMatchObject({ code: 'k', name: null, _displayValue: 'k' });
    expect(record?.deletedAt).toBeNull();
  });

  test.each([{ KIND: 'C' }, { KIND: 'A', GONE: 'x' }, {}])('is not derived from %o', (row) => {
    expect(mapping.read({ key: 'k', row })).toBeNull();
  });
});

describe('a request', () => {
  const mapping = compileMapping(
    {
      entity: 'Thing',
      stream: 'things',
      fields: {
        name: 'NAME',
        lines: { write: { list: { to: 'POS', fields: { quantity: { number: { from: 'QTY', scale: 2 } } } } } },
      },
      onCreate: { KIND: { const: 'A' }, NAME: { const: 'unnamed' }, 'meta.by': 'owner.code' },
      actions: {
        cancel: {
          act: 'storno',
          values: {
            TEXT: { coalesce: ['reason._displayValue', 'note'] },
            DAY: { date: { from: 'at', format: 'YYYYMMDD' } },
          },
        },
        'set-status': { act: { lookup: { from: 'category', table: { storno: 'cancelled', open: 'open' } } } },
        receive: {
          act: 'book',
          values: { POS: { list: { from: 'lines', fields: { NR: 'line._idValue', QTY: 'quantity' } } } },
        },
      },
    },
    { file },
  );

  test('adds required values of a create unless the request has them', () => {
    const { values } = mapping.write({ name: 'x', owner: undefined }, { op: 'create' });
    expect(values).toEqual({ NAME: 'x', KIND: 'A', meta: { by: null } });
    expect(mapping.write({ name: 'x' }, { op: 'update' }).values).toEqual({ NAME: 'x' });
  });

  test('lists fields that the system does not support, including those in lines', () => {
    expect(mapping.write({ colour: 1, lines: [{ quantity: 1.5, colour: 2 }] }, { op: 'update' })).toEqual({
      values: { POS: [{ QTY: 150 }] },
      unsupported: ['colour', 'lines.colour'],
    });
  });

  test('requests an action with the names of the system', () => {
    expect(mapping.actions.cancel?.write({ note: 'why', at: '2026-11-20T23:30:00-02:00' })).toEqual({
      act: 'storno',
      values: { TEXT: 'why', DAY: '20261121' },
      unsupported: [],
    });
    expect(mapping.actions.receive?.write({ lines: [{ line: { _idValue: '4/1' }, quantity: 2 }] }).values).toEqual({
      POS: [{ NR: '4/1', QTY: 2 }],
    });
  });

  test('selects the action by the request, and reports if there is none', () => {
    expect(mapping.actions['set-status']?.write({ category: 'cancelled' }).act).toBe('storno');
    expect(mapping.actions['set-status']?.write({ category: 'draft' }).act).toBeNull();
  });
});

describe('the actions that a record allows now', () => {
  const action = (name: string, from?: string[]): Action => ({
    name,
    operationId: name,
    references: {},
    ...(from && { from }),
  });
  const thing = (...actions: Action[]): Entity => ({ ...entities.PurchaseOrder, actions });
  const compiled = (entity: Entity, ...names: string[]) =>
    compileMapping(
      {
        entity: 'PurchaseOrder',
        stream: 'orders',
        fields: { statusCategory: 'STATE' },
        deleted: 'GONE_AT',
        actions: Object.fromEntries(names.map((name) => [name, { act: name }])),
      },
      { file, entity },
    );
  const known = thing(action('submit', ['draft']), action('note'), action('cancel', ['draft', 'approved']));
  const available = (state: string | null, ...names: string[]) =>
    compiled(known, ...names).read({ key: '1', row: { STATE: state } })?.values.availableActions;

  test('are those of its category that the system supports, in the order of the document', () => {
    expect(available('draft', 'cancel', 'note', 'submit')).toEqual(['submit', 'note', 'cancel']);
    expect(available('approved', 'cancel', 'submit')).toEqual(['cancel']);
    expect(available('closed', 'cancel', 'submit')).toEqual([]);
    expect(available('draft')).toEqual([]);
  });

  test('are all if the system has no category', () => {
    expect(available(null, 'cancel', 'submit')).toEqual(['submit', 'cancel']);
  });

  test('are none if the record is deleted in the system', () => {
    const row = { STATE: 'draft', GONE_AT: '2026-11-20T10:00:00Z' };
    const record = compiled(known, 'submit').read({ key: '1', row });
    expect(record).toMatchObject({ deletedAt: '2026-11-20T10:00:00Z', values: { availableActions: [] } });
  });

  test('change the hash when the document or the mapping changes them, so that records are derived again', () => {
    const { hash } = compiled(known, 'submit');
    expect(compiled(known, 'submit').hash).toBe(hash);
    expect(compiled(known, 'submit', 'cancel').hash).not.toBe(hash);
    expect(compiled(thing(action('submit', ['draft', 'approved'])), 'submit').hash).not.toBe(hash);
  });

  test('exist only in entities that have them, and in no mapping', () => {
    const without = compileMapping(
      { entity: 'Unit', stream: 's', fields: { name: 'N' } },
      { file, entity: entities.Unit },
    );
    expect(without.read({ key: '1', row: { N: 'x' } })?.values).not.toHaveProperty('availableActions');
    const definition = { entity: 'PurchaseOrder', stream: 's', fields: { availableActions: 'A' } };
    expect(() => compileMapping(definition, { file, entity: known })).toThrow(
      'fields.availableActions: it is derived from',
    );
  });
});

describe('a field of the document', () => {
  const given = (name: string, kind: FieldKind, nullable = false): [string, Field] => [
    name,
    { name, kind, nullable, required: false, writable: name !== 'total', targets: ['Vendor'] },
  ];
  const holding = (name: string, kind: FieldKind, ...fields: [string, Field][]): [string, Field] => {
    const [, field] = given(name, kind, kind === 'object');
    return [name, { ...field, fields: fields.map(([, each]) => each) }];
  };
  const known = Object.fromEntries([
    given('name', 'text'),
    given('notes', 'text', true),
    given('total', 'number', true),
    given('isActive', 'boolean'),
    holding('emails', 'objects', given('value', 'text'), given('owner', 'relation', true)),
    holding('address', 'object', given('city', 'text', true)),
    given('tags', 'texts'),
    given('owners', 'relations'),
    given('colour', 'text', true),
  ]);
  const entity: Entity = { ...entities.Vendor, name: 'Thing', fields: Object.values(known), field: known };
  const compiled = (fields: FieldDefinitions) =>
    compileMapping({ entity: 'Thing', stream: 'things', fields }, { file, entity });
  const emails = { list: { from: 'MAILS', fields: { value: 'ADR' } } };
  const address = { object: { fields: { city: 'ORT' } } };
  test('is cleared by a replacement without it: to an empty list, otherwise to null', () => {
    const mapping = compiled({
      name: 'NAME',
      notes: 'NOTE',
      total: 'SUM',
      isActive: 'AKTIV',
      emails,
      address,
      tags: { split: { from: 'TAGS', separator: ',' } },
      owners: { refs: { entity: 'Vendor', by: '_idValue', each: 'OWN' } },
    });
    expect(mapping.write(clearedInput(entity, { name: 'x' }), { op: 'replace' })).toEqual({
      values: { NAME: 'x', NOTE: null, MAILS: [], ORT: null, TAGS: null, OWN: [] },
      unsupported: [],
    });
    expect(mapping.write({ name: 'x' }, { op: 'update' }).values).toEqual({ NAME: 'x' });
  });

  test('is not reported if the system does not support it and it was empty', () => {
    const mapping = compiled({ notes: 'NOTE' });
    const input = { name: '', emails: [], colour: null };
    expect(mapping.write(input, { op: 'update' })).toEqual({ values: {}, unsupported: [] });
    expect(mapping.write({ emails: [{}] }, { op: 'update' }).unsupported).toEqual(['emails']);
  });

  test.each<[string, WordDefinition, string]>([
    ['emails', address, 'the field is objects, the expression yields object'],
    ['emails', { split: { from: 'A', separator: ',' } }, 'the field is objects, the expression yields texts'],
    ['emails', { text: 'A' }, 'the field is objects, the expression yields text'],
    ['address', emails, 'the field is object, the expression yields objects'],
    ['address', { split: { from: 'A', separator: ',' } }, 'the field is object, the expression yields texts'],
    ['owners', emails, 'the field is relations, the expression yields objects'],
    ['tags', emails, 'the field is texts, the expression yields objects'],
  ])('%s cannot have the word %j', (name, word, message) => {
    expect(() => compiled({ [name]: word })).toThrow(`thing.yaml: fields.${name}: ${message}`);
  });

  const parts = (fields: FieldDefinitions): WordDefinition => ({ list: { from: 'MAILS', fields } });
  const owner = (entity: string): WordDefinition => ({ ref: { entity, by: 'code', value: 'OWN' } });
  test('of objects has a word for each property, including relations', () => {
    const mapping = compiled({ emails: parts({ value: 'ADR', owner: owner('Vendor') }) });
    expect(mapping.read({ key: '1', row: { MAILS: [{ ADR: 'a', OWN: 'V-1' }, { ADR: 'b' }] } })?.values.emails).toEqual(
      [
        { value: 'a', owner: { entity: 'Vendor', by: 'code', value: 'V-1' } },
        { value: 'b', owner: null },
      ],
    );
  });

  test.each<[string, WordDefinition, string]>([
    ['emails.colour', parts({ colour: 'A' }), 'its objects have no such property; they have value, owner'],
    ['emails.value', parts({ value: owner('Vendor') }), 'the field is text, the expression yields reference'],
    ['emails.owner', parts({ owner: 'OWN' }), 'the field is relation, the expression yields any'],
    ['emails.owner', parts({ owner: owner('Currency') }), 'Currency is not one of Vendor'],
    ['emails.colour', { read: parts({ colour: 'A' }) }, 'its objects have no such property'],
  ])('%s is refused within %j', (place, word, message) => {
    expect(() => compiled({ emails: word })).toThrow(`thing.yaml: fields.${place}: ${message}`);
  });
});

describe('a definition that cannot be used is refused, naming file, field and word', () => {
  const nested = (depth: number): WordDefinition => (depth === 0 ? 'A' : { text: { from: nested(depth - 1) } });
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, 'A']));
  test.each<[string, object, RegExp]>([
    ['an unknown function', { fields: { a: { eval: 'x' } } }, /thing\.yaml: fields\.a: unknown keyword "eval"/],
    [
      'a missing option',
      { fields: { a: { ref: { entity: 'X', value: 'A' } } } },
      /fields\.a\.ref: must have required property 'by'/,
    ],
    [
      'a wrong option',
      { fields: { a: { refs: { entity: 'X', by: 'id', each: 'A' } } } },
      /fields\.a\.refs\.by: .*"_idValue", "code"/,
    ],
    [
      'two words in one place',
      { fields: { a: { path: 'A', text: 'B' } } },
      /fields\.a: expected one function, found path and text/,
    ],
    [
      'a dangerous path',
      { fields: { a: 'x.__proto__.y' } },
      /fields\.a: path "x\.__proto__\.y" may not contain "__proto__"/,
    ],
    [
      'a dangerous condition',
      { where: { path: 'constructor', equals: 1 }, fields: { a: 'A' } },
      /where: path "constructor"/,
    ],
    ['a dangerous target', { onCreate: { 'a.prototype': 'A' }, fields: { a: 'A' } }, /onCreate\.a\.prototype/],
    [
      'a dangerous name of a part',
      { fields: { a: { object: { fields: JSON.parse('{"__proto__":"x"}') } } } },
      /fields\.a\.object: path "__proto__"/,
    ],
    ['an empty name', { fields: { a: 'x..y' } }, /fields\.a: path "x\.\.y" has an empty name/],
    ['too deep nesting', { fields: { a: nested(9) } }, /more than 8 deep/],
    ['too many fields', { fields: many }, /must NOT have more than 200 properties/],
    [
      'a format without a year',
      { fields: { a: { date: { from: 'A', format: 'DD.MM.' } } } },
      /fields\.a\.date: format "DD\.MM\." needs YYYY/,
    ],
    [
      'a format of the nearest day',
      { fields: { a: { date: { from: 'A', format: 'YYYYMMDD', nearest: true } } } },
      /fields\.a\.date: "nearest" reads timestamps/,
    ],
    [
      'a value both true and false',
      { fields: { a: { boolean: { from: 'A', true: [1], false: ['1'] } } } },
      /fields\.a\.boolean: "1" is both/,
    ],
    [
      'references among values',
      { fields: { a: { coalesce: [{ ref: { entity: 'X', by: 'code', value: 'A' } }, 'B'] } } },
      /mixes references/,
    ],
    [
      'a reference in a request',
      { fields: { a: 'A' }, onCreate: { b: { ref: { entity: 'X', by: 'code', value: 'A' } } } },
      /onCreate\.b: .*reason\.code/,
    ],
  ])('%s', (_, definition, message) => {
    expect(() =>
      compileMapping({ entity: 'Thing', stream: 'things', fields: { a: 'A' }, ...definition }, { file }),
    ).toThrow(message);
  });
});

describe('a create', () => {
  const vendor = { ref: { entity: 'Vendor', by: '_idValue', value: 'SUPPLIER' } } as const;
  const read = { refs: { entity: 'PurchaseOrderLine', by: '_idValue', each: 'LINES' } } as const;
  const compiled = (fields: FieldDefinitions) =>
    compileMapping(
      { entity: 'PurchaseOrder', stream: 'orders', writes: ['create'], fields },
      { file, entity: entities.PurchaseOrder },
    );

  test('is refused if a list that each create contains cannot be written', () => {
    const problem =
      'writes: every create contains lines, which cannot be written; map it for writing, or remove create';
    for (const fields of [{ vendor, lines: { read } }, { vendor }]) expect(() => compiled(fields)).toThrow(problem);
  });

  test('is refused if a value that each create contains cannot be written', () => {
    const lines = { read, write: { list: { to: 'LINES', fields: { quantity: 'QTY' } } } } as const;
    expect(() => compiled({ vendor: { read: vendor }, lines })).toThrow('writes: every create contains vendor, which');
  });

  test('can write the list', () => {
    const lines = { read, write: { list: { to: 'LINES', fields: { quantity: 'QTY' } } } } as const;
    expect(compiled({ vendor, lines }).writable).toEqual(['vendor', 'lines']);
  });
});
